"""Networks by URL, from a server on this machine: what is taken, what is refused, and that nothing stays behind."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from hitonami import disk
from hitonami.errors import BadModel, HitonamiError, WorkFailed
from hitonami.models.download import Limits, add_from_url, fetch
from hitonami.models.store import list_models, user_store


@dataclass
class Site:
    """What a server answers, by path, and which paths were asked for."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    announced: dict[str, int | None] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    silent: Event = field(default_factory=Event)
    asked: list[str] = field(default_factory=list)


def answering(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            if self.path == "/silent.pb.gz":
                site.silent.wait(60)  # until the test is over
                return
            if self.path in site.redirects:
                self.send_response(302)
                self.send_header("Location", site.redirects[self.path])
                self.end_headers()
                return
            body = site.files.get(self.path)
            self.send_response(site.statuses.get(self.path, 404 if body is None else 200))
            length = site.announced.get(self.path, len(body or b""))
            if length is not None:
                self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the parent's name)
            """Not on the terminal."""

    return Handler


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    with ThreadingHTTPServer(("127.0.0.1", 0), answering(made)) as server:
        made.address = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.silent.set()
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HITONAMI_MODELS", str(tmp_path / "store"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # this machine is asked directly
    return tmp_path / "store"


def names() -> list[str]:
    return [listed.name for listed in list_models() if listed.origin == "yours"]


def test_a_network_is_fetched_checked_and_added(site: Site, write_network: Callable[..., Path]) -> None:
    data = write_network("maia-1500.pb.gz").read_bytes()
    site.files["/nets/maia-1500.pb.gz"] = data
    told: list[tuple[int, int]] = []
    added, came = add_from_url(f"{site.address}/nets/maia-1500.pb.gz", report=lambda *news: told.append(news))
    assert (added.name, names()) == ("maia-1500", ["maia-1500"])
    assert (came.sha256, came.size_bytes) == (hashlib.sha256(data).hexdigest(), len(data))
    assert told[-1] == (len(data), len(data))
    assert sorted(path.name for path in user_store().iterdir()) == ["maia-1500"]


def test_an_onnx_file_brings_its_card(site: Site, model_folder: Path) -> None:
    site.files = {f"/a/{name}": (model_folder / name).read_bytes() for name in ("model.onnx", "card.json")}
    added, _ = add_from_url(f"{site.address}/a/model.onnx", "mine")
    assert added.name == "mine"
    assert site.asked == ["/a/card.json", "/a/model.onnx"]
    del site.files["/a/card.json"]
    with pytest.raises(BadModel, match=r"model\.onnx.*card\.json") as wrong:
        add_from_url(f"{site.address}/a/model.onnx", "other")
    assert ".fetching" not in str(wrong.value)


def test_files_and_redirects_of_one_scheme(site: Site, write_network: Callable[..., Path]) -> None:
    path = write_network("one.pb.gz")
    assert add_from_url(path.as_uri())[0].name == "one"
    site.files["/two.pb.gz"], site.redirects["/latest.pb.gz"] = path.read_bytes(), "/two.pb.gz"
    assert add_from_url(f"{site.address}/latest.pb.gz")[0].name == "latest"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("https://127.0.0.1:9/x.pb.gz", "redirects from http to https: refused"),
        ("file:///etc/hostname", "redirects from http to file: refused"),
        ("ftp://127.0.0.1/x.pb.gz", "redirects from http to ftp: refused"),
        ("http://example.org/x.pb.gz", "plain http can be changed on the way"),
    ],
)
def test_a_redirect_elsewhere_is_refused(site: Site, target: str, reason: str) -> None:
    site.redirects["/x.pb.gz"] = target
    with pytest.raises(BadModel, match=reason):
        add_from_url(f"{site.address}/x.pb.gz")
    assert list(user_store().iterdir()) == []


@pytest.mark.parametrize("announced", [True, False])
def test_more_than_the_limit_is_refused(site: Site, announced: bool) -> None:
    site.files["/x.pb.gz"] = bytes(5000)
    if not announced:
        site.announced["/x.pb.gz"] = None
    with pytest.raises(BadModel, match="more than 4,000"):
        add_from_url(f"{site.address}/x.pb.gz", limits=Limits(largest_bytes=4000))
    assert list(user_store().iterdir()) == []


def test_what_comes_short_or_not_at_all_fails(site: Site) -> None:
    site.files["/short.pb.gz"], site.announced["/short.pb.gz"] = bytes(10), 20
    site.statuses["/busy.pb.gz"] = 503
    cases: list[tuple[str, type[HitonamiError], str]] = [
        ("/short.pb.gz", WorkFailed, "cut off after 10 of 20 bytes"),
        ("/busy.pb.gz", WorkFailed, "the server answers 503"),
        ("/absent.pb.gz", BadModel, "the server answers 404"),
        ("/silent.pb.gz", WorkFailed, "no answer for 0.2 s|timed out"),
    ]
    for path, kind, reason in cases:
        with pytest.raises(kind, match=reason):
            add_from_url(f"{site.address}{path}", limits=Limits(timeout_seconds=0.2))
    with pytest.raises(WorkFailed, match="refused"):
        add_from_url("http://127.0.0.1:9/x.pb.gz")
    assert list(user_store().iterdir()) == []


def test_the_checksum_decides(site: Site, write_network: Callable[..., Path]) -> None:
    data = write_network("x.pb.gz").read_bytes()
    site.files["/x.pb.gz"] = data
    with pytest.raises(BadModel, match=f"its sha256 is {hashlib.sha256(data).hexdigest()}, not {'0' * 64}"):
        add_from_url(f"{site.address}/x.pb.gz", sha256="0" * 64)
    assert names() == []
    assert add_from_url(f"{site.address}/x.pb.gz", sha256=hashlib.sha256(data).hexdigest().upper())[0].name == "x"


def test_a_damaged_network_is_refused_by_its_url(site: Site) -> None:
    site.files["/x.pb.gz"] = b"\x1f\x8bnonsense"
    with pytest.raises(BadModel, match=f"^{site.address}/x.pb.gz: "):
        add_from_url(f"{site.address}/x.pb.gz")
    assert list(user_store().iterdir()) == []


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://host/x.pb.gz", "from https:// or file://, not ftp://"),
        ("http://example.org/x.pb.gz", "use https"),
        ("file://elsewhere/x.pb.gz", "a file on another machine"),
        ("https://example.org/", "the name of a file"),
        ("https://example.org/a%00b", "the name of a file"),
        ("https://[::1/x.pb.gz", "not a URL"),
        ("https://host:port/x.pb.gz", "not a URL"),
        ("file:///no/such/file.pb.gz", "No such file"),
    ],
)
def test_urls_that_cannot_be_used(url: str, reason: str) -> None:
    with pytest.raises(BadModel, match=reason):
        add_from_url(url)


def test_what_a_kill_left_goes_with_the_next_fetch(site: Site, store: Path) -> None:
    """A folder that nobody holds was left by a process that is gone; one that is held is being filled."""
    left, held = store / ".fetching-left", store / ".fetching-held"
    for folder in (left, held):
        folder.mkdir(parents=True)
        (folder / "half.pb.gz").write_bytes(b"half")
    site.files["/a.pb.gz"] = b"damaged"
    with disk.holding(held), pytest.raises(BadModel):
        add_from_url(f"{site.address}/a.pb.gz")
    assert [path.name for path in store.iterdir()] == [held.name]
    with pytest.raises(BadModel):
        add_from_url(f"{site.address}/a.pb.gz")
    assert not list(store.iterdir())


def test_an_interruption_leaves_nothing(site: Site, store: Path) -> None:
    site.files["/x.pb.gz"] = bytes(1 << 20)

    def interrupt(came: int, announced: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), fetch(f"{site.address}/x.pb.gz", store, interrupt):
        pass
    assert list(store.iterdir()) == []
