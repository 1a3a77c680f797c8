"""Loading rust-chess where it may be used from any thread.

What the library allocates belongs to the thread that loaded it: used after that thread has ended, it ends the process
by a segmentation fault. The main thread lives as long as the process does; where another one comes first, a thread
that never ends loads it.
"""

import threading
from importlib import import_module

_LIBRARY = "rust_chess"


def load_for_good() -> None:
    """After this `import rust_chess` is safe in any thread."""
    if threading.current_thread() is threading.main_thread():
        import_module(_LIBRARY)
        return
    loaded = threading.Event()
    threading.Thread(target=_load_and_stay, args=(loaded,), name=_LIBRARY, daemon=True).start()
    loaded.wait()


def _load_and_stay(loaded: threading.Event) -> None:
    try:
        import_module(_LIBRARY)
    finally:
        loaded.set()
    threading.Event().wait()
