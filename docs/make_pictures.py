"""Draw the pictures of the README and the docs from the program itself: `python docs/make_pictures.py`."""

from io import StringIO
from pathlib import Path

from rich.console import Console

from hitonami.agent import Agent
from hitonami.core import Effort, Player, Setup, open_game
from hitonami.minds.uniform import Uniform
from hitonami.terminal.table import Table
from hitonami.terminal.talk import Talk

HERE = Path(__file__).parent / "pictures"
GAMES = {
    "chess": (Setup(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"),
    "shogi": (Setup(), "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d"),
    "go": (Setup(size=9), "E5 G3 C3 D7 F7 E7 F6 C5 G4 F3 H3"),
}


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for name, (setup, moves) in GAMES.items():
        console = Console(record=True, width=64, force_terminal=True, color_system="truecolor", file=StringIO())
        position = open_game(name).start(setup)
        for text in moves.split():
            position = position.play(position.game.parse(position, text))
        side = position.to_move
        table = Table(position, Agent(Uniform()), side, Player(name="You"), Player(name="uniform"), Effort.seeded(1))
        talk = Talk(table, console, human_pace=False)
        talk.flipped = False
        talk._show_board()
        console.print(f"[bold]{position.game.sides[side]}[/] to move > hint")
        talk.hear("hint")
        svg = console.export_svg(title=f"hitonami play {name}")
        (HERE / f"play-{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
