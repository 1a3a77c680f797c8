/** Every word of the page in English and Japanese. A key without a translation does not compile. */

const english = {
  play: "Play", predict: "Predict",
  tagline: "Opponents who play like people — at your level.",
  lineTrying: "The server does not answer. Trying again …", lineGone: "The server does not answer.", tryAgain: "Try again", badMove: "This is no legal move here:",
  lookingBack: "Looking back", toPresent: "Back to the game", predictHere: "Predict this position", komi: "komi", winsBy: "wins by", byoyomi: "byo-yomi",
  rules: "Rules, and where they come from", pieceSet: "Pieces", kanji: "Kanji", international: "International", inCheck: "check",
  newGame: "New game", start: "Start the game", game: "Game", board: "Board", level: "Level", style: "Opponent",
  side: "You play", pace: "Pace", paceHuman: "like a person", paceInstant: "at once", random: "either",
  human: "Human", blend: "Human, with better judgement", expert: "Expert", engine: "Engine", search: "Human, reading ahead", randomStyle: "Random mover", dual: "Patterns and doubt", noteDual: "Plays by patterns, and reads ahead where it is in doubt.", playout: "Playouts", notePlayout: "Plays the game on at random many times and takes what comes out best; each strength looks twice as often.", strength: "Strength", moreGames: "More games", whichMove: "Which move?", savedGame: "a saved game, a position or moves", openFile: "Open a file", asText: "as text",
  noteHuman: "Plays the moves that people of this level play, mistakes included.", noteBlend: "Chooses like people of this level after a second look: in chess and shogi it reads ahead, in Go it asks an expert.",
  noteSearch: "Reads ahead among the moves that people of this level consider.", noteExpert: "What a network that learned from a strong engine likes best.", notePeople: "Plays the moves that people play, mistakes included.", noteSelfTaught: "Learned the game by playing itself. Levels are measured in games among its own rungs: moves at random are 0.", noteEngine: "A classical engine that is installed here.", noteRandom: "Any legal move.",
  previewBoard: "How the game begins", previewPeople: "What people play first", previewNote: "What people play first at", previewExpert: "What this opponent plays first at", again_: "Play again", another: "Review another", turingNote: "Watch a game or play one. Then say what you think: who was it?", engineLevel: "at its own strength",
  noLevel: "This opponent plays at its own strength, whatever the level.", heldUpTo: "Measured in games, levels hold up to {level}: above, hardly stronger.", heldFrom: "Measured in games, levels hold from {level}: below, hardly weaker.",
  noHuman: "No human network for this game comes with this version.",
  recent: "Your games", resume: "Resume", over: "over", moves: "moves", oneMove: "1 move", yourTurn: "Your turn", thinking: "Thinking…",
  you: "You", takeBack: "Take back", hint: "Hint", resign: "Resign", draw: "Draw", claim: "Claim", pass: "Pass",
  sureResign: "Really resign?", yes: "Yes", no: "No", declined: "The draw is declined.", typeMove: "Type a move",
  hintTitle: "What players of this level play here", hintPeople: "What people play here", chancesPeople: "Chances between people", hintOwn: "What this opponent would play here", chancesOwn: "Chances as this opponent sees them", chancesAt: "Chances between players of this level", save: "Save", again: "New game",
  won: "You won", lost: "You lost", drawn: "A draw", notFound: "There is no such game here.", flip: "Turn the board",
  position: "Position or game", show: "Show", others: "other moves", byLevel: "Moves over level", moveChances: "Moves at",
  scoreByLevel: "wins, by level", played: "played", captures: "captures", promote: "Promote?", keep: "Keep",
  predictIntro: "Paste a position or a whole game and see what people of each level would play.",
  oneLevel: "This mind does not follow the level: it says the same at every one.",
  White: "White", Black: "Black", Red: "Red", Blue: "Blue", Yellow: "Yellow", Sente: "Sente", Gote: "Gote", theme: "Light or dark", shortcuts: "Keys: H hint · U take back · F turn the board · ← → Home End look back · Tab and arrows on the board",
  hand: "in hand", dan: "dan", kyu: "kyu", pro: "pro", lines: "lines", first: "First", last: "Last", back: "Back", forward: "Forward",
  whose: "Whose moves", pool: "Counted as on", review: "Review", botOrNot: "Bot or not", studies: "Studies", boardKeys: "arrow keys move, Enter picks", ko: "ko: may not be retaken at once",
  more: "Clock, opening, handicap", clock: "Clock", noClock: "none", opening: "Opening", freeOpening: "as it comes", handicap: "Handicap", noHandicap: "even game",
  gives: "gives it", startFrom: "Start from a position or line", startHint: "FEN, PGN, SFEN, KIF, SGF or moves", accept: "Accept the draw", offered: "Your opponent offers a draw.",
  atOnce: "Answer at once", likePerson: "Answer like a person", reviewGame: "Review this game", markDead: "Click stones to mark them dead or alive; the count follows.",
  expertView: "expert", people: "people", winsByLevel: "Chances over level", arrows: "Arrows", heat: "Heat", marksOff: "Off", onBoard: "On the board",
  playOn: "Moves on the board play on from here.", undoMoves: "Back to the text",
  // Of twins.
  twins: "Twins", twinsTitle: "A twin plays as one person does", twinsIntro: "From a hundred games it learns how somebody opens, what they like and what they shun. Play your own twin, meet your rival before the match, or see a game through their eyes.",
  twinDrop: "Drop the person's games here, or choose files", twinDropNote: "ten games at least, a hundred make a good twin", sendingFiles: "Sending", readingGames: "Looking who played …", whoseGames: "Whose games are these?", gamesFound: "games found", unreadGames: "could not be read",
  twinName: "What to call the twin", twinNameHint: "letters, digits, dots and dashes", consentTitle: "A model of a person is that person's business", twinConsent: "These are my own games, or this person agreed, or the games were published for such use.",
  twinConsentNote: "Everything stays on this server. What you send is removed once the twin is made; the twin holds numbers and no name, game or date, belongs to this browser alone, and goes when you forget it.", makeTwin: "Make the twin", otherFiles: "Other files",
  yourTwins: "Your twins", noTwins: "None yet.", twinWaiting: "Waiting", twinAhead: "before it", stage_games: "Reading games", stage_decisions: "Asking what people of the level would play", stage_fits: "Learning what this person does otherwise", stage_: "Beginning",
  twinStop: "Stop", twinResume: "Go on", twinStopped: "Stopped; what was done is kept.", twinFailed: "This twin could not be made.", twinForget: "Forget", sureForget: "Remove everything of this twin?", twinPlay: "Play", twinEyes: "Review through its eyes", twinDone: "Learned from", twinGain: "On games held back it finds {points} more of a hundred moves than a stranger of the same level ({low} to {high}).", twinLess: "On games held back it finds as many moves as a stranger of the same level ({low} to {high} of a hundred).",
  twinIsBase: "Nothing was found that this person does otherwise than people of the level, so the twin plays as they do.", twinOf: "twin", noteTwin: "Plays as the person does whose games you sent, at that person's own level.", throughEyes: "Through whose eyes", peopleOfLevel: "people of the level",
  "refused draft-gone": "What was sent is no longer here. Please send it again.", "refused twin-files": "{count} files at most.", "refused twin-name": "A name has up to 40 letters, digits, dots and dashes, and begins with a letter or digit.", "refused twin-game": "No human network for this game comes with this version, so no twin can be made.", "refused twin-taken": "There is a twin {name} already. Choose another name, or forget that one first.",
  "refused twin-busy": "One twin at a time is made for you. Wait for it, or stop it.", "refused twin-queue": "Many twins are waiting to be made. Please try again later.", "refused twins-kept": "{count} twins are kept for you, and you have as many. Forget one first.", "refused no-twin": "There is no such twin here.", "refused no-consent": "Without consent no twin is made.", "refused no-player": "Say whose games these are.", "refused few-games": "{count} games of this person: a twin needs {least} at least.",
  // Of reviews and predictions.
  nextNotable: "Next notable", start_: "The start", judgedBy: "Judge", nobodyJudges: "nobody", expertHead: "the expert head of the packaged network", nodes: "positions a move", betweenThese: "between these two",
  betweenEquals: "between equals of", byJudge: "by the judge", everyLevel: "How often each level plays it", phases: "By phase", movesCount: "moves", inaccuracies: "inaccurate", mistakesCount: "mistakes",
  askedInstead: "Asked instead", expectedScore: "expected score", peopleScore: "People of these levels score", nothingBetter: "The judge finds nothing better.", backToGame: "Back to the game", reviewText: "Review this game",
  chooseGame: "Choose a game of this file", gamesInFile: "games", cannotBeRead: "cannot be read", copyAddress: "Copy the address", copied: "Copied", endedShown: "The game is over here. This is the last position with moves to predict.", takenAs: "taken as",
  brokenOff: "The record can be read up to this move only.", firstShown: "The first ones are listed.", reviewKeys: "Keys: ← → Home End · N next notable · F turn the board",
  "refused no-record": "There is no record here.", "refused unreadable": "Game {number} of this file cannot be read.", "refused no-game": "There is no game in this file that can be read.",
  "refused other-board": "This opponent learned on another board and does not know this one: choose another opponent.", "refused bad-move": "That is not a legal move here.", "refused ambiguous-move": "Several moves are written like this: say which piece.", "refused over": "The game is over here: there is nothing to predict.", "refused too-large": "This is too large: {megabytes} MB at most.",
  "refused too-much": "This takes too long to read.", "refused too-many": "There are too many requests from your address. Please wait a little.", "refused many-games": "Too many games were begun from your address. Please wait a minute.", "refused games-kept": "{count} games are kept here for a visitor, and you have as many.",
  "refused many-studies": "Other studies are being prepared. Please try again later.", "refused many-tokens": "Too many wrong tokens. Please wait a minute.", "refused wrong-token": "This token is not the one that was printed when the page was started.", "refused no-token": "Open the address with the token that was printed when the page was started.",
  "refused other-site": "This request comes from another site.", "refused this-machine": "This page is served to its own machine only.", "refused stopping": "The server is being stopped.", "refused too-slow": "This request came too slowly.", "refused not-here": "There is no such page or game here.", "refused needs-key": "The results of a study need its key.",
  notableMoves: "Notable moves", "refused too-long": "This text is too long.", "refused bad-request": "The server does not understand this request.", "refused unreadable-text": "This is neither a position nor a game that can be read.",
  reviewIntro: "See which of your moves people of your level would play, what they cost, and what level your play looks like.",
  drop: "Drop records here, or choose files", orPaste: "or paste one", begin: "Review", reviewing: "Reviewing", stop: "Stop", withJudge: "with the engine's judgement", ratingOf: "Level of both players",
  asRecorded: "as recorded", estimate: "plays like", noMistakes: "None stood out.", bestMove: "best",
  chancesGraph: "Chances through the game", likely: "of people at this level", loss: "cost", phase: "Phase", matched: "usual moves", meanLoss: "mean cost", blunders: "blunders", "typical mistake": "typical mistake",
  "rare blunder": "rare blunder", blunder: "blunder", mistake: "mistake", inaccuracy: "inaccuracy", "missed chance": "missed chance", "hard to find": "hard to find", unusual: "unusual", usual: "usual",
  all: "all", opening_: "opening", middle: "middle game", ending: "endgame", mainFrom: "main choice at",
  quiz: "The quiz", quizNote: "Games of people and of programs, one at a time. Guess who played; the truth is told at once. How many in a row?", quizBegin: "Play the quiz", quizAnytime: "Look through the moves; answer whenever you are sure.",
  allGames: "All games", streak: "in a row", bestStreak: "best", pause: "Pause", runOn: "Run the moves", itWasPerson: "It was a person.", itWasProgram: "It was a program.", endedDrawn: "It ended in a draw.", wonLater: "won in the end.", comesFrom: "From:", nextGame: "Next game",
  notAnswered: "not answered", leaveOut: "Leave this out", leftOut: "Sliders that you leave alone are not counted.", oneJudge: "one judge, no interval", samples: "Samples that come with Hitonami, made by its own commands. Start with --studies FOLDER to see your own reports here instead.",
  turingIntro: "A person, or a program?", openStudies: "Tests you can take", noStudies: "No test is open yet.", setUp: "Set up a test", yourStudies: "Tests you have set up",
  watch: "watch games", playMode: "play games", takePart: "Take part", consent: "Before you begin", agree: "I agree, begin", gamesToJudge: "games to judge", title: "Title", mode: "Visitors", opponents: "Hidden opponents",
  addOpponent: "Add an opponent", addRecords: "Add people's games", addPerson: "Add another visitor", personNote: "Another visitor who takes part at the same time. Nobody there for long: a program instead.", seeking: "Looking for an opponent…", remove: "Remove", label: "Name in the results", records: "Records (PGN, KIF, SGF …)", gamesEach: "Games for each visitor", gamesMade: "Games made of each opponent",
  pliesShown: "Moves shown", pliesBefore: "Moves before judging", consentText: "Text to agree to", reveal: "Tell visitors at the end who it was", create: "Create the test", preparing: "Games are being prepared …",
  closed: "This test is closed.", failed: "This test could not be prepared:", judgeThis: "Who played", humanOrBot: "Was it a person?", aPerson: "A person", aProgram: "A program", likeness: "How human-like, 0 to 100",
  aggressive: "aggressive", careful: "careful", consistent: "consistent", strong: "strong", submit: "Answer", gameOf: "Game", of: "of", thanks: "Thank you. That was the last one.", itWas: "It was", youSaid: "You said",
  keepWatching: "Look through the moves first.", results: "Results", answers: "answers", judges: "judges", calledHuman: "called a person", likenessMean: "human-likeness", againstPeople: "against people", exportCsv: "Answers as CSV",
  closeStudy: "Close the test", visitorLink: "Address for visitors", noKey: "This browser does not have the key of this test.", keyOf: "Key", open: "Open", noAnswers: "No answers yet.", playAndJudge: "Play; you can judge from move",
  noReports: "No reports. Start with --studies FOLDER to show what evaluate, tournament and experiment have written.", openPage: "Open in a tab of its own", report: "Report", right: "Right", wrongGuess: "Wrong", skip: "to the content",
};
export type Word = keyof typeof english;
const japanese: Record<Word, string> = {
  play: "対局", predict: "予測",
  tagline: "人のような相手と、あなたの棋力で。",
  lineTrying: "サーバーが応答しません。再試行しています…", lineGone: "サーバーが応答しません。", tryAgain: "もう一度試す", badMove: "ここでは選べない手です：",
  lookingBack: "前の局面を表示中", toPresent: "対局に戻る", predictHere: "この局面を予測", komi: "コミ", winsBy: "の勝ち：", byoyomi: "秒読み",
  rules: "ルールと出典", pieceSet: "駒", kanji: "漢字", international: "国際式", inCheck: "王手",
  newGame: "新しい対局", start: "対局を始める", game: "種目", board: "盤", level: "棋力", style: "相手",
  side: "あなたの手番", pace: "速さ", paceHuman: "人なみ", paceInstant: "すぐに", random: "おまかせ",
  human: "人間らしい", blend: "人間らしく、より正確", expert: "上級者", engine: "エンジン", search: "人間らしく、先を読む", randomStyle: "でたらめ", dual: "形と読み", noteDual: "形で手を選び、迷うところでは先を読みます。", playout: "試行", notePlayout: "終局まで何度も無作為に進めて、結果の良い手を選びます。強さが一つ上がるごとに試す回数が倍になります。", strength: "強さ", moreGames: "その他", whichMove: "どの手にしますか？", savedGame: "保存した対局・局面・手順", openFile: "ファイルを開く", asText: "（テキスト）",
  noteHuman: "この棋力の人が選ぶ手を、間違いも含めて選びます。", noteBlend: "この棋力の人らしく選びながら、チェスと将棋では先を読み、囲碁では上級者の判断も取り入れます。",
  noteSearch: "この棋力の人が考える手の中から、先を読んで選びます。", noteExpert: "強いエンジンから学んだネットワークの最善手です。", notePeople: "人が選ぶ手を、間違いも含めて選びます。", noteSelfTaught: "自分どうしの対局だけで学びました。棋力は段階どうしの対局で測ったもので、でたらめな手が0です。", noteEngine: "この機械に入っているエンジンです。", noteRandom: "合法手から無作為に選びます。",
  previewBoard: "対局の始まり", previewPeople: "人が最初に選ぶ手", previewNote: "最初に選ばれる手：", previewExpert: "この相手の初手・棋力", again_: "もう一局", another: "別の棋譜を検討", turingNote: "対局を見て、または対局して、相手が誰だったかを答えてください。", engineLevel: "固有の強さ",
  noLevel: "この相手の強さは棋力の設定で変わりません。", heldUpTo: "対局で確かめた棋力は{level}までです。上げてもほとんど強くなりません。", heldFrom: "対局で確かめた棋力は{level}からです。それより低くしてもほとんど変わりません。",
  noHuman: "この種目の人間モデルは、この版にはまだ入っていません。",
  recent: "これまでの対局", resume: "続ける", over: "終局", moves: "手", oneMove: "1 手", yourTurn: "あなたの番です", thinking: "考え中…",
  you: "あなた", takeBack: "待った", hint: "ヒント", resign: "投了", draw: "引き分け", claim: "宣言", pass: "パス",
  sureResign: "投了しますか？", yes: "はい", no: "いいえ", declined: "引き分けは断られました。", typeMove: "手を入力",
  hintTitle: "この棋力の人が選ぶ手", hintPeople: "人が選ぶ手", chancesPeople: "人どうしの勝率", hintOwn: "この相手が選ぶ手", chancesOwn: "勝率（この相手の見方）", chancesAt: "この棋力どうしの勝率", save: "保存", again: "新しい対局",
  won: "あなたの勝ち", lost: "あなたの負け", drawn: "引き分け", notFound: "その対局はありません。", flip: "盤を回す",
  position: "局面または棋譜", show: "表示", others: "その他の手", byLevel: "棋力ごとの手", moveChances: "手の割合：",
  scoreByLevel: "の勝率（棋力ごと）", played: "実戦", captures: "アゲハマ", promote: "成りますか？", keep: "不成",
  predictIntro: "局面や棋譜を貼り付けると、それぞれの棋力の人が選ぶ手がわかります。",
  oneLevel: "この相手は棋力によって変わりません。",
  White: "白", Black: "黒", Red: "赤", Blue: "青", Yellow: "黄", Sente: "先手", Gote: "後手", theme: "明るさ", shortcuts: "キー：H ヒント・U 待った・F 盤を回す・← → Home End 前の局面・Tabで盤上へ",
  hand: "持ち駒", dan: "段", kyu: "級", pro: "プロ", lines: "路", first: "最初", last: "最後", back: "戻る", forward: "進む",
  whose: "誰の手か", pool: "棋力の基準", review: "検討", botOrNot: "人か機械か", studies: "研究", boardKeys: "矢印キーで移動、Enterで選択", ko: "コウ：すぐには取り返せません",
  more: "時計・戦型・手合割", clock: "時計", noClock: "なし", opening: "戦型", freeOpening: "自由", handicap: "手合割", noHandicap: "平手・互先",
  gives: "が落とす（置かせる）側", startFrom: "局面や手順から始める", startHint: "FEN・PGN・SFEN・KIF・SGF・手順", accept: "引き分けを受ける", offered: "相手が引き分けを提案しています。",
  atOnce: "すぐに応手", likePerson: "人なみの速さに", reviewGame: "この対局を検討", markDead: "石をクリックすると死活を直せます。",
  expertView: "上級者", people: "人", winsByLevel: "棋力ごとの勝率", arrows: "矢印", heat: "色", marksOff: "なし", onBoard: "盤上の表示",
  playOn: "盤上で手を進めると、その先を予測します。", undoMoves: "元の棋譜に戻る",
  // Of twins.
  twins: "分身", twinsTitle: "その人らしい手を選ぶ分身", twinsIntro: "百局ほどの棋譜から、序盤の癖や手の好みを学びます。自分の分身と対局したり、対戦前にライバルの分身と練習したり、その人の目で棋譜を検討したりできます。",
  twinDrop: "その人の棋譜をここに置くか、ファイルを選んでください", twinDropNote: "最低10局、100局あるとよく似ます", sendingFiles: "送信中", readingGames: "対局者を調べています…", whoseGames: "誰の棋譜ですか？", gamesFound: "局", unreadGames: "局は読めませんでした",
  twinName: "分身の名前", twinNameHint: "文字・数字・点・ハイフン", consentTitle: "人の分身は、その人自身のものです", twinConsent: "自分の棋譜であるか、本人の同意があるか、このような利用のために公開された棋譜です。",
  twinConsentNote: "すべてこのサーバーの中だけに置かれます。送った棋譜は分身ができると消えます。分身には数値だけが入り、対局者名・棋譜・日付は入りません。このブラウザーだけのもので、「忘れる」で完全に消えます。", makeTwin: "分身を作る", otherFiles: "別のファイル",
  yourTwins: "あなたの分身", noTwins: "まだありません。", twinWaiting: "順番を待っています", twinAhead: "件待ち", stage_games: "棋譜を読んでいます", stage_decisions: "同じ棋力の人ならどう指すかを調べています", stage_fits: "その人らしさを学んでいます", stage_: "準備しています",
  twinStop: "止める", twinResume: "続ける", twinStopped: "止めています。途中までの結果は残っています。", twinFailed: "分身を作れませんでした。", twinForget: "忘れる", sureForget: "この分身のすべてを消しますか？", twinPlay: "対局する", twinEyes: "この分身の目で検討", twinDone: "学んだ棋譜", twinGain: "学習に使わなかった棋譜で、同じ棋力の他人より100手あたり{points}手多く当てます（{low}〜{high}）。", twinLess: "学習に使わなかった棋譜で当てた手は、同じ棋力の他人と同じくらいです（100手あたり{low}〜{high}）。",
  twinIsBase: "同じ棋力の人との違いが見つからなかったので、同じように指します。", twinOf: "分身", noteTwin: "送った棋譜の人のように、その人の棋力で指します。", throughEyes: "誰の目で見るか", peopleOfLevel: "この棋力の人",
  "refused draft-gone": "送ったものが残っていません。もう一度送ってください。", "refused twin-files": "ファイルは{count}個までです。", "refused twin-name": "名前は40字までの文字・数字・点・ハイフンで、文字か数字で始めてください。", "refused twin-game": "この種目の人間モデルがこの版にないため、分身を作れません。", "refused twin-taken": "{name}という分身はすでにあります。別の名前にするか、先に忘れさせてください。",
  "refused twin-busy": "分身は一度に一つだけ作れます。終わるのを待つか、止めてください。", "refused twin-queue": "順番待ちが多すぎます。後でもう一度試してください。", "refused twins-kept": "分身は{count}個までです。先にどれかを忘れさせてください。", "refused no-twin": "その分身はありません。", "refused no-consent": "同意がなければ分身は作れません。", "refused no-player": "誰の棋譜かを選んでください。", "refused few-games": "この人の棋譜は{count}局です。分身には最低{least}局必要です。",
  // Of reviews and predictions.
  nextNotable: "次の注目手", start_: "開始局面", judgedBy: "判定", nobodyJudges: "なし", expertHead: "同梱ネットワークの上級者の見方", nodes: "局面／手", betweenThese: "この二人の間",
  betweenEquals: "同じ棋力どうし：", byJudge: "判定者の評価", everyLevel: "棋力ごとのこの手の割合", phases: "段階ごと", movesCount: "手数", inaccuracies: "疑問手", mistakesCount: "悪手",
  askedInstead: "代わりに聞いた相手", expectedScore: "期待勝率", peopleScore: "この棋力どうしの勝率", nothingBetter: "これより良い手は見つかりません。", backToGame: "対局に戻る", reviewText: "この棋譜を検討",
  chooseGame: "このファイルの棋譜を選んでください", gamesInFile: "局", cannotBeRead: "読めません", copyAddress: "アドレスをコピー", copied: "コピーしました", endedShown: "ここで終局です。予測できる最後の局面を表示しています。", takenAs: "想定",
  brokenOff: "棋譜はここまでしか読めません。", firstShown: "最初のものだけを表示しています。", reviewKeys: "キー：← → Home End・N 次の注目手・F 盤を回す",
  "refused no-record": "棋譜がありません。", "refused unreadable": "このファイルの第{number}局は読めません。", "refused no-game": "このファイルには読める棋譜がありません。",
  "refused other-board": "この相手は別の盤で学んだため、この盤では対局できません。ほかの相手を選んでください。", "refused bad-move": "ここではその手は打てません（指せません）。", "refused ambiguous-move": "この書き方では複数の手が当てはまります。", "refused over": "終局しているので、予測する手がありません。", "refused too-large": "大きすぎます（{megabytes} MBまで）。",
  "refused too-much": "読み取りに時間がかかりすぎます。", "refused too-many": "アクセスが多すぎます。しばらくしてからお試しください。", "refused many-games": "対局を始めすぎました。1分ほど待ってからお試しください。", "refused games-kept": "一人につき{count}局まで保存できます。もういっぱいです。",
  "refused many-studies": "ほかの研究を準備しています。しばらくしてからお試しください。", "refused many-tokens": "トークンの間違いが続きました。1分ほど待ってからお試しください。", "refused wrong-token": "起動時に表示されたトークンと違います。", "refused no-token": "起動時に表示された、トークン付きのアドレスを開いてください。",
  "refused other-site": "ほかのサイトからの要求です。", "refused this-machine": "このページは、動いている機械からしか開けません。", "refused stopping": "サーバーは終了するところです。", "refused too-slow": "要求を受け取るのに時間がかかりすぎました。", "refused not-here": "このページや対局は、ここにはありません。", "refused needs-key": "研究の結果を見るには鍵がいります。",
  notableMoves: "注目の手", "refused too-long": "文章が長すぎます。", "refused bad-request": "サーバーが理解できない要求です。", "refused unreadable-text": "局面としても棋譜としても読めません。",
  reviewIntro: "あなたの棋力の人がその手を選ぶ割合、損の大きさ、そして手から見た棋力がわかります。",
  drop: "棋譜ファイルをここへ（選択もできます）", orPaste: "または貼り付け", begin: "検討する", reviewing: "検討中", stop: "中止", withJudge: "エンジンの評価も使う", ratingOf: "両者の棋力",
  asRecorded: "棋譜のまま", estimate: "手から見た棋力", noMistakes: "目立つミスはありません。", bestMove: "最善",
  chancesGraph: "勝率の推移", likely: "がこの棋力で選ぶ", loss: "損", phase: "局面", matched: "多数派の手", meanLoss: "平均の損", blunders: "大悪手", "typical mistake": "典型的なミス",
  "rare blunder": "まれな大悪手", blunder: "大悪手", mistake: "悪手", inaccuracy: "疑問手", "missed chance": "逃したチャンス", "hard to find": "見つけにくい好手", unusual: "珍しい手", usual: "普通の手",
  all: "全体", opening_: "序盤", middle: "中盤", ending: "終盤", mainFrom: "最有力になる棋力",
  quiz: "クイズ", quizNote: "人の対局とプログラムの対局を一局ずつ。誰が指したかを当ててください。正解はすぐに分かります。何問続くでしょうか。", quizBegin: "クイズを始める", quizAnytime: "手順を見て、分かったところで答えてください。",
  allGames: "すべて", streak: "連続正解", bestStreak: "最高", pause: "止める", runOn: "手順を進める", itWasPerson: "人でした。", itWasProgram: "プログラムでした。", endedDrawn: "引き分けに終わりました。", wonLater: "の勝ちに終わりました。", comesFrom: "出典：", nextGame: "次の対局",
  notAnswered: "未回答", leaveOut: "回答しない", leftOut: "動かさなかった項目は集計されません。", oneJudge: "回答者1人・区間なし", samples: "Hitonami に付属の見本で、同じコマンドで作ったものです。--studies フォルダー を付けて起動すると、ここにご自分のレポートが表示されます。",
  turingIntro: "人か、プログラムか。", openStudies: "参加できるテスト", noStudies: "公開中のテストはまだありません。", setUp: "テストを作る", yourStudies: "あなたが作ったテスト",
  watch: "棋譜を見る", playMode: "対局する", takePart: "参加する", consent: "はじめる前に", agree: "同意してはじめる", gamesToJudge: "局を判定", title: "題名", mode: "参加者は", opponents: "隠れた相手",
  addOpponent: "相手を加える", addRecords: "人の棋譜を加える", addPerson: "ほかの人を加える", personNote: "同じ時に参加する人と対局します。いないときはプログラムと対局します。", seeking: "相手を待っています…", remove: "削除", label: "結果での名前", records: "棋譜（PGN・KIF・SGFなど）", gamesEach: "一人あたりの局数", gamesMade: "相手ごとに用意する局数",
  pliesShown: "見せる手数", pliesBefore: "判定までの手数", consentText: "同意の文章", reveal: "最後に正体を知らせる", create: "テストを作る", preparing: "対局を準備しています…",
  closed: "このテストは終了しました。", failed: "このテストは準備できませんでした：", judgeThis: "判定する側：", humanOrBot: "人でしたか？", aPerson: "人", aProgram: "プログラム", likeness: "人間らしさ（0〜100）",
  aggressive: "攻撃的", careful: "慎重", consistent: "一貫性", strong: "強い", submit: "回答する", gameOf: "第", of: "局／全", thanks: "ありがとうございました。これで最後です。", itWas: "正体", youSaid: "あなたの回答",
  keepWatching: "まず手順を最後まで見てください。", results: "結果", answers: "回答", judges: "判定者", calledHuman: "人と判定", likenessMean: "人間らしさ", againstPeople: "人との差", exportCsv: "回答をCSVで保存",
  closeStudy: "テストを終了", visitorLink: "参加者用のアドレス", noKey: "このブラウザーにはこのテストの鍵がありません。", keyOf: "鍵", open: "開く", noAnswers: "まだ回答がありません。", playAndJudge: "対局してください。判定できる手数：",
  noReports: "レポートはありません。--studies フォルダー を付けて起動すると、evaluate・tournament・experiment の結果を表示します。", openPage: "別のタブで開く", report: "レポート", right: "正解", wrongGuess: "不正解", skip: "本文へ",
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
export const sayMoves = (count: number): string => (count === 1 ? say("oneMove") : `${count} ${say("moves")}`);
/** What a game has of its own: its title, what its sides are called, and its words in Japanese. */
interface OwnWords { title: string; board: string; called: Record<string, string>; japanese: Record<string, string> }
const own = new Map<string, OwnWords>();
export const learnWords = (game: string, words: OwnWords): void => { own.set(game, words); };
const sayOwn = (game: string, text: string): string | undefined => (language === "ja" ? own.get(game)?.japanese[text] : undefined);
export function sayGame(name: string): string {
  const title = own.get(name)?.title ?? name;
  return sayOwn(name, title) ?? title;
}
/** A side's name, as people of the game call it. */
export function saySide(game: string, name: string): string {
  const called = own.get(game)?.called[name] ?? name;
  return sayOwn(game, called) ?? (called in english ? say(called as Word) : called);
}
const STYLES: Record<string, [Word, Word]> = {
  human: ["human", "noteHuman"], blend: ["blend", "noteBlend"], search: ["search", "noteSearch"], expert: ["expert", "noteExpert"], dual: ["dual", "noteDual"], engine: ["engine", "noteEngine"], random: ["randomStyle", "noteRandom"], playout: ["playout", "notePlayout"],
};
/** A style by its name; opponents that were named when the server was started keep their names. */
export function sayStyle(name: string): string {
  if (name.startsWith("twin:")) return language === "ja" ? `${name.slice(5)}の${say("twinOf")}` : `${name.slice(5)} (${say("twinOf")})`;
  const [, kind, strength] = /^(\w+)-([0-9]+)$/.exec(name) ?? [];
  if (kind && kind in STYLES) return `${say(STYLES[kind]![0])} ${strength}`;
  return name in STYLES ? say(STYLES[name]![0]) : name;
}
export const sayStyleNote = (name: string): string => (name.startsWith("twin:") ? say("noteTwin") : name in STYLES ? say(STYLES[name]![1]) : "");

export const sayHandicap = ({ title, japanese }: { title: string; japanese: string }): string => (language === "ja" && japanese ? japanese : title);
/** How games end and what may be claimed, as the rules name it, in Japanese; a game's own words go first. */
const ENDINGS: Record<string, string> = {
  checkmate: "チェックメイト", stalemate: "ステイルメイト", resignation: "投了", time: "時間切れ", agreement: "合意",
  "insufficient material": "駒不足", "threefold repetition": "同一局面3回", "fivefold repetition": "同一局面5回", "fifty-move rule": "50手ルール", "75-move rule": "75手ルール",
  "time, and nothing left to mate with": "時間切れ（詰ませる駒なし）", repetition: "千日手", "perpetual check": "連続王手の千日手", "two passes": "両者パス",
  "whole-board repetition: no result": "同形反復（無勝負）", "no result": "無勝負",
};
/** An ending or a claim in the visitor's words: "two passes, B+3.5", "entering king, 27-point rule", "resignation, 2% hope, 5 behind". */
export function sayEnding(game: string, reason: string): string {
  const counted = /^two passes, ([BW])\+([0-9.]+)$/.exec(reason);
  if (counted) return sayMargin(counted[1] === "B" ? "Black" : "White", counted[2]!);
  const gaveUp = /^resignation, (\d+)% hope(?:, ([0-9.]+) behind)?$/.exec(reason);
  if (gaveUp) return sayGivenUp(game, gaveUp[1]!, gaveUp[2]);
  if (language === "en") return reason;
  const declared = /^entering king, (\d+)-point rule$/.exec(reason);
  if (declared) return `入玉宣言（${declared[1]}点法）`;
  const short = reason.split(",")[0]!;
  return sayOwn(game, reason) ?? sayOwn(game, short) ?? ENDINGS[reason] ?? ENDINGS[short] ?? reason;
}
/** Why the opponent resigned: the chance it saw, and what it was behind by. */
function sayGivenUp(game: string, hope: string, behind: string | undefined): string {
  const stones = own.get(game)?.board === "stones";
  if (language === "ja") return `投了（勝ち目${hope}%${behind ? `、${behind}${stones ? "子損" : "点の駒損"}` : ""}）`;
  return `resignation, with ${hope}% hope${behind ? ` and ${behind} ${stones ? "stones" : "pawns"}' worth behind` : ""}`;
}
const sayMargin = (side: Word, points: string) => (language === "ja" ? `${say(side)}${points}目勝ち` : `${say(side)} ${say("winsBy")} ${points}`);
/** A chess piece by its English name. */
export const sayPiece = (name: string): string => (language === "ja" ? { pawn: "ポーン", knight: "ナイト", bishop: "ビショップ", rook: "ルーク", queen: "クイーン", king: "キング" }[name] ?? name : name);
/** A label or phase of a review; what has no word of its own is shown as it is. */
export function sayTerm(text: string): string {
  const key = text === "opening" ? "opening_" : text;
  return key in english ? say(key as Word) : text;
}

/** Why something was refused: the page's own sentence where it has one, else the server's. */
export function sayRefusal({ error, code = "", values = {} }: { error: string; code?: string; values?: Record<string, string | number> }): string {
  const key = `refused ${code}`;
  return key in english ? say(key as Word).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? "")) : error;
}

const LARGEST_RANK = 100;
/** A level as people of the game say it. Ranks: 29 is 1 kyu, 30 is 1 dan, 40 is the first professional dan. */
export function sayLevel(kind: "rating" | "rank", value: number): string {
  if (kind === "rating" || value > LARGEST_RANK) return String(Math.round(value));  // some Go servers rate by points
  const rank = Math.round(value);
  const spaced = language === "ja" ? "" : " ";
  if (rank >= 40) return `${rank - 39}${spaced}${say("dan")} ${say("pro")}`;
  return rank >= 30 ? `${rank - 29}${spaced}${say("dan")}` : `${30 - rank}${spaced}${say("kyu")}`;
}
/** What games say of a level that lies outside what they hold; "" where there is nothing to say. */
export function sayDoubt(kind: "rating" | "rank", value: number, held: [number, number] | undefined): string {
  if (!held || (held[0] <= value && value <= held[1])) return "";
  const isAbove = value > held[1];
  return say(isAbove ? "heldUpTo" : "heldFrom").replace("{level}", sayLevel(kind, held[isAbove ? 1 : 0]));
}
export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)}%`;
