"""A graft says what its base says until it is trained, and its file does what torch does."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hitonami.errors import BadModel, BadSpec  # noqa: E402
from hitonami.models.card import Card, Heads, Source  # noqa: E402
from hitonami.models.graft import Graft, plain_name, read_graph  # noqa: E402
from hitonami.models.net import to_tensors  # noqa: E402
from hitonami.models.sessions import open_session  # noqa: E402
from hitonami.models.spec import GraftSpec  # noqa: E402
from hitonami.models.store import Model, load_model, write_model  # noqa: E402
from hitonami.train.export import export_net, sample_queries  # noqa: E402
from hitonami.train.warm_start import describe_files, graft_onto  # noqa: E402

SAMPLE = Path(__file__).parents[3] / "src/hitonami/minds/_sample_network.pb.gz"


@pytest.fixture(scope="module")
def base() -> bytes:
    return load_model(SAMPLE).onnx


@pytest.fixture(scope="module")
def spec(base: bytes) -> GraftSpec:
    boards = [node.output for node in read_graph(base).nodes if node.kind == "Relu"]
    fields: dict[str, Any] = {"pools": ["lichess", "fide"]}
    return GraftSpec(
        kind="graft",
        encoder={"name": "lc0-rated", "fields": fields},  # type: ignore[arg-type]
        condition={"low": 600, "high": 2800, "hidden": 8},  # type: ignore[arg-type]
        moves=load_model(SAMPLE).card.output_of(None),
        stem=boards[0],
        features=boards[1],
        film=(boards[1],),
        value_hidden=8,
    )


@pytest.fixture
def graft(spec: GraftSpec, base: bytes) -> Graft:
    torch.manual_seed(0)
    return Graft(spec, read_graph(base)).eval()


def arrays_of(graft: Graft) -> dict[str, np.ndarray]:
    return graft.spec.open_encoder().encode(sample_queries(graft, 12))


def test_untrained_it_is_its_base_twice(graft: Graft, base: bytes) -> None:
    arrays = arrays_of(graft)
    session = open_session(base, 1)
    (given,) = session.get_inputs()
    (wanted,) = session.run([graft.spec.moves], {given.name: arrays["planes"].astype(np.float32)})
    with torch.no_grad():
        outputs = graft(to_tensors(arrays, graft.shape.names))
    for head in ("human", "expert"):
        np.testing.assert_allclose(outputs[head].numpy(), wanted, atol=1e-3)


def test_in_16_bits_what_flows_between_layers_has_16_bits(graft: Graft) -> None:
    arrays = graft.spec.open_encoder().encode(sample_queries(graft))
    given = to_tensors(arrays, graft.shape.names)
    graft.train()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        values = graft._given(given)
        graft._run(graft.stem_nodes, graft.stem, values)
        graft._run(graft.human_nodes, graft.human, values)
        kinds = {values[node.output].dtype for node in graft.human_nodes if values[node.output].is_floating_point()}
        found = graft(given)["human"].float()
    assert kinds == {torch.bfloat16}
    with torch.no_grad():
        wanted = graft(given)["human"]
    assert float((found - wanted).abs().max()) <= 0.05 * float(wanted.abs().max())


def test_training_moves_the_human_and_leaves_the_expert(graft: Graft) -> None:
    inputs = to_tensors(arrays_of(graft), graft.shape.names)
    before = {name: tensor.detach().clone() for name, tensor in graft(inputs).items()}
    optimizer = torch.optim.SGD(graft.parameters(), lr=0.1)
    outputs = graft.train()(inputs)
    assert "expert" not in outputs  # it costs a pass and learns nothing
    (outputs["human"][:, 0].mean() + outputs["wdl"][:, 0].mean()).backward()
    optimizer.step()
    after = graft.eval()(inputs)
    assert not torch.allclose(after["human"], before["human"], atol=1e-3)
    assert not torch.allclose(after["wdl"], before["wdl"], atol=1e-4)
    torch.testing.assert_close(after["expert"], before["expert"])


def test_players_change_what_it_says_once_it_listens(graft: Graft) -> None:
    torch.nn.init.normal_(graft.condition.film.weight, std=0.1)
    arrays = arrays_of(graft)
    arrays = {name: np.repeat(values[:1], 2, axis=0) for name, values in arrays.items()}
    arrays["player"][:, :2] = [[-0.5, 1.0], [0.5, 1.0]]
    with torch.no_grad():
        weak, strong = graft(to_tensors(arrays, graft.shape.names))["human"]
    assert (weak - strong).abs().max() > 1e-3


@pytest.mark.parametrize(("bits", "off"), [(32, 1e-4), (16, 2e-2), (8, 0.3)])
def test_the_file_does_what_torch_does(graft: Graft, bits: int, off: float) -> None:
    with torch.no_grad():
        for parameter in graft.parameters():
            parameter.add_(0.02 * torch.randn_like(parameter))
    arrays = arrays_of(graft)
    session = open_session(export_net(graft, bits=bits), 1)
    with torch.no_grad():
        wanted = graft(to_tensors(arrays, graft.shape.names))
    wanted["wdl"] = torch.softmax(wanted["wdl"], 1)
    made = session.run(list(wanted), {name: arrays[name] for name in graft.shape.names})
    for (name, tensor), array in zip(wanted.items(), made, strict=True):
        assert np.abs(tensor.numpy() - array).max() <= off * max(1.0, float(tensor.abs().max())), name


def kept_model(graft: Graft, folder: Path, bits: int) -> Path:
    """The model that a run of this network would be exported to."""
    onnx = export_net(graft, bits=bits)
    card = Card(
        name="grown",
        game="chess",
        encoder=graft.spec.encoder,
        inputs=graft.shape.names,
        heads=Heads(human="human", expert="expert", wdl="wdl"),
        licence="GPL-3.0-or-later",
        recipe=json.dumps({"network": graft.spec.model_dump(mode="json"), "export": {"bits": bits}}),
        provenance=(Source(what="games: some", sha256="0" * 64),),
        model_sha256=hashlib.sha256(onnx).hexdigest(),
    )
    return write_model(Model(card, onnx, folder), folder)


@pytest.mark.parametrize(("bits", "off"), [(32, 1e-4), (16, 2e-2), (8, 0.3)])
def test_an_exported_model_is_gone_on_from_with_more_unfrozen(
    graft: Graft, tmp_path: Path, bits: int, off: float
) -> None:
    with torch.no_grad():
        for parameter in graft.parameters():
            parameter.add_(0.02 * torch.randn_like(parameter))
    arrays, folder = arrays_of(graft), kept_model(graft, tmp_path / "grown", bits)
    film = ("*",) if graft.spec.stem is None else (*graft.spec.film, graft.spec.stem)
    whole = graft.spec.model_copy(update={"stem": None, "film": film})
    for spec in (graft.spec, whole):
        again = graft_onto(spec, [SAMPLE, folder]).eval()
        with torch.no_grad():
            wanted, made = (net(to_tensors(arrays, graft.shape.names)) for net in (graft, again))
        for name, tensor in wanted.items():
            assert (made[name] - tensor).abs().max() <= off * max(1.0, float(tensor.abs().max())), name
    assert len(again.film_at) > len(graft.film_at)
    assert [source.what for source in describe_files([folder], {})] == ["weights to start from: grown", "games: some"]


def test_a_model_of_another_network_is_not_gone_on_from(spec: GraftSpec, graft: Graft, tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="not exported from a graft onto the same network"):
        graft_onto(spec, [SAMPLE, SAMPLE])
    folder = kept_model(graft, tmp_path / "grown", 32)
    other = spec.model_copy(update={"value_hidden": 4})
    with pytest.raises(BadModel, match="not exported from a graft onto the same network"):
        graft_onto(other, [SAMPLE, folder])


def test_planes_are_divided_in_torch_and_in_the_file(spec: GraftSpec, base: bytes) -> None:
    graft = Graft(spec.model_copy(update={"divisor": 4.0}), read_graph(base)).eval()
    arrays = arrays_of(graft)
    whole = {**arrays, "planes": arrays["planes"] * np.uint8(4)}
    with torch.no_grad():
        wanted = Graft(spec, read_graph(base)).eval()(to_tensors(arrays, graft.shape.names))["human"]
        made = graft(to_tensors(whole, graft.shape.names))["human"]
    torch.testing.assert_close(made, wanted)
    session = open_session(export_net(graft, bits=32), 1)
    (written,) = session.run(["human"], {name: whole[name] for name in graft.shape.names})
    np.testing.assert_allclose(written, wanted.numpy(), atol=1e-3)


def test_fewer_bits_are_fewer_bytes(graft: Graft) -> None:
    assert len(export_net(graft, bits=16)) < len(export_net(graft, bits=32))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": "nowhere"}, "no tensor 'nowhere'"),
        ({"stem": "nowhere"}, "no tensor 'nowhere'"),
        ({"film": ("nothing_*",)}, "named like 'nothing_\\*'"),
        ({"features": "policy"}, "it must be a board of channels"),
    ],
)
def test_mistakes_are_named(spec: GraftSpec, base: bytes, change: dict[str, Any], message: str) -> None:
    change = {key: spec.moves if value == "policy" else value for key, value in change.items()}
    with pytest.raises(BadSpec, match=message):
        Graft(spec.model_copy(update=change), read_graph(base))


def test_an_unknown_operation_is_refused(make_model: Callable[[str], bytes]) -> None:
    with pytest.raises(BadModel, match="Tanhshrink"):
        read_graph(make_model("Tanhshrink"))


@pytest.fixture
def make_model() -> Callable[[str], bytes]:
    from onnx import TensorProto, helper

    def make(kind: str) -> bytes:
        value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])
        graph = helper.make_graph([helper.make_node(kind, ["x"], ["y"])], "g", [value], [value])
        return helper.make_model(graph).SerializeToString()

    return make


def test_names_fit_torch() -> None:
    assert plain_name("/body/conv.1/Mul_2::out") == "body_conv_1_Mul_2_out"
