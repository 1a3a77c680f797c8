"""Rules, one file a game: the file's name is the game's name. docs/adding-a-game.md shows how to add one."""
