"""`python -m hitonami` is the command `hitonami`."""

from hitonami.cli import main

if __name__ == "__main__":
    main()
