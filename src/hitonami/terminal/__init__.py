"""A game in the terminal: boards drawn with rich, a person at the keyboard, an agent across the table."""
