/** Every word of the page in English and Japanese. A key without a translation does not compile. */

const english = {
  play: "Play", predict: "Predict", chess: "Chess", shogi: "Shogi", go: "Go",
  tagline: "Opponents who play like people — at your level.",
  newGame: "New game", start: "Start the game", game: "Game", board: "Board", level: "Level", style: "Opponent",
  side: "You play", pace: "Pace", paceHuman: "like a person", paceInstant: "at once", random: "either",
  human: "Human", blend: "Human, with better judgement", expert: "Expert", engine: "Engine", randomStyle: "Random mover",
  noLevel: "This opponent plays at its own strength, whatever the level.",
  noHuman: "No human network for this game comes with this version.",
  recent: "Your games", resume: "Resume", over: "over", moves: "moves", yourTurn: "Your turn", thinking: "Thinking…",
  you: "You", takeBack: "Take back", hint: "Hint", resign: "Resign", draw: "Draw", claim: "Claim", pass: "Pass",
  sureResign: "Really resign?", yes: "Yes", no: "No", declined: "The draw is declined.", typeMove: "Type a move",
  hintTitle: "What players of this level play here", hintOwn: "What this opponent would play here", winOwn: "wins, as this opponent sees it", winRate: "wins at this level", save: "Save", again: "New game",
  won: "You won", lost: "You lost", drawn: "A draw", notFound: "There is no such game here.", flip: "Turn the board",
  position: "Position or game", show: "Show", others: "other moves", byLevel: "Moves over level", moveChances: "Moves at",
  scoreByLevel: "wins, by level", played: "played", captures: "captures", promote: "Promote?", keep: "Keep",
  predictIntro: "Paste a position or a whole game and see what people of each level would play.",
  oneLevel: "This mind does not follow the level: it says the same at every one.",
  White: "White", Black: "Black", Sente: "Sente", Gote: "Gote", theme: "Light or dark", shortcuts: "Keys: H hint · U take back · F turn the board",
  hand: "in hand", dan: "dan", kyu: "kyu", pro: "pro", lines: "lines", first: "First", last: "Last", back: "Back", forward: "Forward",
};
export type Word = keyof typeof english;
const japanese: Record<Word, string> = {
  play: "対局", predict: "予測", chess: "チェス", shogi: "将棋", go: "囲碁",
  tagline: "人のように指す相手と、あなたの棋力で。",
  newGame: "新しい対局", start: "対局を始める", game: "種目", board: "盤", level: "棋力", style: "相手",
  side: "あなたの手番", pace: "速さ", paceHuman: "人なみ", paceInstant: "すぐに", random: "おまかせ",
  human: "人間らしい", blend: "人間らしく、より正確", expert: "上級者", engine: "エンジン", randomStyle: "でたらめ",
  noLevel: "この相手の強さは棋力の設定で変わりません。",
  noHuman: "この種目の人間モデルは、この版にはまだ入っていません。",
  recent: "これまでの対局", resume: "続ける", over: "終局", moves: "手", yourTurn: "あなたの番です", thinking: "考え中…",
  you: "あなた", takeBack: "待った", hint: "ヒント", resign: "投了", draw: "引き分け", claim: "宣言", pass: "パス",
  sureResign: "投了しますか？", yes: "はい", no: "いいえ", declined: "引き分けは断られました。", typeMove: "指し手を入力",
  hintTitle: "この棋力の人が選ぶ手", hintOwn: "この相手ならこう指す", winOwn: "の勝率（この相手の見方）", winRate: "の勝率（この棋力）", save: "保存", again: "新しい対局",
  won: "あなたの勝ち", lost: "あなたの負け", drawn: "引き分け", notFound: "その対局はありません。", flip: "盤を回す",
  position: "局面または棋譜", show: "表示", others: "その他の手", byLevel: "棋力ごとの指し手", moveChances: "指し手の割合：",
  scoreByLevel: "の勝率（棋力ごと）", played: "実戦", captures: "アゲハマ", promote: "成りますか？", keep: "不成",
  predictIntro: "局面や棋譜を貼り付けると、それぞれの棋力の人が選ぶ手がわかります。",
  oneLevel: "この相手は棋力によって変わりません。",
  White: "白", Black: "黒", Sente: "先手", Gote: "後手", theme: "明るさ", shortcuts: "キー：H ヒント・U 待った・F 盤を回す",
  hand: "持ち駒", dan: "段", kyu: "級", pro: "プロ", lines: "路", first: "最初", last: "最後", back: "戻る", forward: "進む",
};

export type Language = "en" | "ja";
let language: Language = (localStorage.getItem("language") as Language | null) ?? (navigator.language.startsWith("ja") ? "ja" : "en");
document.documentElement.lang = language;

export const currentLanguage = () => language;
export function chooseLanguage(wanted: Language): void {
  language = wanted;
  localStorage.setItem("language", wanted);
  document.documentElement.lang = wanted;
}
export const say = (word: Word): string => (language === "ja" ? japanese : english)[word];
/** A side's name; shogi players say sente and gote where its rules say Black and White. */
export function saySide(game: string, name: string): string {
  const own = game === "shogi" ? { Black: "Sente", White: "Gote" }[name] ?? name : name;
  return own in english ? say(own as Word) : own;
}
export const sayStyle = (name: string): string => say((name === "random" ? "randomStyle" : name) as Word);

/** A level as people of the game say it. Ranks: 29 is 1 kyu, 30 is 1 dan, 40 is the first professional dan. */
export function sayLevel(kind: "rating" | "rank", value: number): string {
  if (kind === "rating") return String(Math.round(value));
  const rank = Math.round(value);
  const spaced = language === "ja" ? "" : " ";
  if (rank >= 40) return `${rank - 39}${spaced}${say("dan")} ${say("pro")}`;
  return rank >= 30 ? `${rank - 29}${spaced}${say("dan")}` : `${30 - rank}${spaced}${say("kyu")}`;
}
export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)}%`;
