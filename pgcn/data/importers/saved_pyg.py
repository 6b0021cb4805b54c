"""PyG's ``Data``: saved by ``torch.save`` and read without running code, or of one of its data set classes."""

import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pgcn.data.importers.npz import one_mask
from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import Parts
from pgcn.errors import DataError, shown
from pgcn.temporary import temporary_folder

MASKS = {"train": "train_mask", "val": "val_mask", "test": "test_mask"}


def read_saved(path: Path, options: ImportOptions) -> Parts:
    """Return the parts of a saved ``Data`` or of a saved dictionary of tensors."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > options.most_bytes:
            raise DataError(
                f"{path.name} unpacks to {size / 1e9:.1f} GB; up to {options.most_gigabytes:g} GB are read."
            )
        with warnings.catch_warnings(), torch.serialization.safe_globals(data_classes()):
            warnings.simplefilter("ignore")
            found = torch.load(path, map_location="cpu", weights_only=True)
            return parts_of_data(found, path.stem, path.name)
    except DataError:
        raise
    except Exception as error:  # of a damaged file torch and PyG raise whatever they stumble over
        raise DataError(
            f"{path.name} cannot be loaded without running code that it names, or is damaged. Save plain tensors: "
            "torch.save({'x': data.x, 'edge_index': data.edge_index, 'y': data.y}, file)."
        ) from error


def data_classes() -> list:
    """Return the classes of PyG that a saved ``Data`` names: they hold tensors and run nothing when made."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch_geometric.data import Data, data, storage
    return [Data, data.DataEdgeAttr, data.DataTensorAttr, storage.GlobalStorage]


def parts_of_data(data: Any, name: str, where: str) -> Parts:
    """Return the parts of a ``Data``, or of a dictionary or tuple that holds one."""
    if isinstance(data, list | tuple) and data:
        data = data[0]  # as InMemoryDataset saves it
    values = data if isinstance(data, dict) else data.to_dict() if hasattr(data, "to_dict") else {}
    if not isinstance(values, dict) or "edge_index" not in values:
        kinds = ", ".join(map(shown, list(values)[:10])) if isinstance(values, dict) else ""
        raise DataError(f"{where} holds no graph: no edge_index, but {kinds or shown(type(data).__name__)}.")
    arrays = {key: array_of(value, key, where) for key, value in values.items() if isinstance(value, Tensor)}
    if "edge_index" not in arrays:
        raise DataError(f"{where}: edge_index is not a tensor, got {shown(type(values['edge_index']).__name__)}.")
    parts = Parts(name=name, edges=arrays["edge_index"], matrix=arrays.get("x"), labels=arrays.get("y"))
    weight = arrays.get("edge_weight")
    if weight is None and "edge_attr" in arrays and arrays["edge_attr"].size == arrays["edge_index"].shape[-1]:
        weight = arrays["edge_attr"].ravel()
    elif "edge_attr" in arrays and weight is None:
        parts.notes.append("Attributes of edges are not used.")
    parts.weight = weight
    count = values.get("num_nodes")
    sizes = [len(array) for array in (parts.matrix, parts.labels) if array is not None and array.ndim]
    parts.num_nodes = sizes[0] if sizes else int(count) if isinstance(count, int) else 0
    for part, key in MASKS.items():
        parts.masks[part] = one_mask(arrays.get(key), parts)
    for key in ("node_names", "class_names", "feature_names"):
        names = values.get(key)
        if isinstance(names, list | tuple) and names:
            set_names(parts, key, [str(text) for text in names])
    return parts


def set_names(parts: Parts, key: str, names: list[str]) -> None:
    """Take over names that were saved with the graph."""
    if key != "node_names":
        setattr(parts, key, names)
        return
    import pyarrow as pa

    parts.ids = pa.array(names)


def array_of(tensor: Tensor, key: str, where: str) -> np.ndarray:
    """Return a tensor as an array; one that shows more numbers than it stores is refused: a memory bomb."""
    if tensor.layout != torch.strided:
        if key == "x":
            tensor = tensor.to_dense()
        else:
            raise DataError(f"{where}: {key} is a sparse tensor. Save it as a dense one, edges as edge_index.")
    if tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes():
        raise DataError(f"{where}: {key} is an expanded view. Call .contiguous() before saving it.")
    tensor = tensor.detach().resolve_conj().resolve_neg()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()


def pyg_dataset(what: str) -> Parts:
    """Return a data set of PyG's, such as 'Amazon:Photo'; PyG downloads it."""
    from pgcn.data.pyg import pyg_datasets

    kind, _, name = what.partition(":")
    datasets = pyg_datasets()
    found = getattr(datasets, kind, None)
    if kind not in getattr(datasets, "__all__", ()) or not isinstance(found, type):
        raise DataError(f"PyG has no data set class named {shown(kind)}. Write CLASS:NAME, such as Amazon:Photo.")
    with temporary_folder() as folder:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                data = found(root=str(folder), name=name)[0] if name else found(root=str(folder))[0]
        except Exception as error:  # the class asks the network, and takes what arguments it likes
            text = (str(error).splitlines() or [type(error).__name__])[0]
            raise DataError(
                f"PyG could not load {shown(what)}: {text[:200].rstrip('.')}. It downloads its data sets: is there "
                "a network, and is the name right?"
            ) from error
    return parts_of_data(data, name or kind, what)
