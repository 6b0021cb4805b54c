"""``.npz`` as the graph-benchmark community publishes it, never unpickled and never larger than it says.

Sparse parts   adj_data, adj_indices, adj_indptr, adj_shape; attr_* likewise or attr_matrix; labels; *_names
Plain arrays   edge_index or edges, x or node_features, y or node_labels, *_mask or *_masks, edge_weight
An adjacency   as scipy.sparse.save_npz writes it, with a table of nodes beside it
"""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import MOST_NODES, Parts
from pgcn.errors import DataError, shown

READING = (
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    SyntaxError,
    MemoryError,
    OverflowError,
)
"""What NumPy and zipfile raise at damaged files."""
MOST_MEMBERS, MOST_COLUMNS = 200, 1_000_000_000
PICKLED = """{name} holds Python objects ({keys}), and unpickling could run code. Save it again where you trust it:
  import numpy as np, scipy.sparse as sp; old = dict(np.load({path!r}, allow_pickle=True))
  A = sp.csr_matrix(old[{adjacency!r}].item()); X = sp.csr_matrix(old[{features!r}].item())
  np.savez("again.npz", adj_data=A.data, adj_indices=A.indices, adj_indptr=A.indptr, adj_shape=A.shape, \
attr_data=X.data, attr_indices=X.indices, attr_indptr=X.indptr, attr_shape=X.shape, labels=old[{labels!r}])"""
PARTS = ("data", "indices", "indptr", "shape")
EDGES = ("edge_index", "edges")
FEATURES = ("x", "features", "node_features", "attr_matrix", "feat")
LABELS = ("labels", "y", "node_labels", "label")
MASKS = {
    part: tuple(f"{part}_{ending}" for ending in ("mask", "masks", "idx", "index"))
    for part in ("train", "val", "test")
}


def read_npz(path: Path, options: ImportOptions) -> Parts:
    """Return the parts of a graph in an ``.npz`` file."""
    arrays, objects = read_arrays(path, options)
    parts = Parts(name=path.stem)
    first = {key: value for key, value in arrays.items() if key != "allow_pickle"}  # what is used is taken out
    saved = ("",) if first.pop("format", None) is not None else ()
    adjacency = sparse_part(first, ("adj", "adj_matrix", "adjacency", *saved), path.name)
    edges = found(first, EDGES)
    if adjacency is None and edges is None:
        if objects:
            raise pickled(path, objects)
        raise DataError(
            f"{path.name} has neither adj_data, adj_indices, adj_indptr, adj_shape nor edge_index; it has "
            f"{listing(list(first)) or 'nothing'}."
        )
    parts.matrix = sparse_part(first, ("attr", "attr_matrix", "features", "feature"), path.name)
    parts.matrix = found(first, FEATURES) if parts.matrix is None else parts.matrix
    parts.labels = found(first, LABELS)
    needed = [key for key in objects if not key.endswith("_names") and key != "idx_to_node"]
    if needed and (parts.labels is None or parts.matrix is None):
        raise pickled(path, objects)
    if objects:
        parts.notes.append(f"Left out, since it would have to be unpickled: {listing(objects)}.")
    if adjacency is not None:
        coordinates = sp.coo_array(adjacency)
        parts.edges, weights = np.stack(coordinates.coords).astype(np.int64), coordinates.data
        parts.num_nodes, parts.weight = adjacency.shape[0], None if (weights == 1).all() else weights
    else:
        parts.edges, parts.weight = edges, found(first, ("edge_weight", "edge_weights"))
        parts.num_nodes = counted(parts, first)
    for part, names in MASKS.items():
        parts.masks[part] = one_mask(found(first, names), parts)
    names = found(first, ("node_names", "node_ids"))
    if names is not None and names.shape == (parts.num_nodes,) and len(np.unique(names)) == len(names):
        import pyarrow as pa

        parts.ids = pa.array([str(name) for name in names.tolist()])
    parts.class_names, parts.feature_names = (
        listed(found(first, keys)) for keys in (("class_names",), ("attr_names", "feature_names"))
    )
    if (
        parts.feature_names is not None
        and parts.matrix is not None
        and (len(parts.feature_names) != parts.matrix.shape[-1])
    ):
        parts.feature_names = None
    if first:
        parts.notes.append(f"Not used: {listing(list(first))}.")
    return parts


def found(arrays: dict[str, np.ndarray], names: tuple[str, ...]) -> Any:
    """Take out the first array that has one of the names."""
    return next((arrays.pop(name) for name in names if name in arrays), None)


def listed(names) -> list[str] | None:
    return None if names is None or names.ndim != 1 else [str(name) for name in names.tolist()]


def listing(keys: list[str]) -> str:
    more = f" and {len(keys) - 10} more" if len(keys) > 10 else ""
    return ", ".join(shown(key, longest=40) for key in keys[:10]) + more


def counted(parts: Parts, arrays: dict[str, np.ndarray]) -> int | None:
    """Return the number of nodes: of rows of features, of labels, as said, or as the edges tell."""
    said = found(arrays, ("num_nodes",))
    if parts.matrix is not None and parts.matrix.ndim:
        return parts.matrix.shape[0]
    if parts.labels is not None and parts.labels.ndim:
        return len(parts.labels)
    if said is not None and said.size == 1 and said.dtype.kind in "iu":
        return int(said.ravel()[0])
    return int(parts.edges.max()) + 1 if parts.edges is not None and parts.edges.size else 0


def one_mask(mask, parts: Parts):
    """Return one mask; of several splits the first, and say so."""
    if mask is None or mask.ndim != 2 or not mask.size:
        return mask
    by_row = mask.shape[1] == parts.num_nodes
    note = f"The first of {mask.shape[0 if by_row else 1]} given splits is used."
    if note not in parts.notes:
        parts.notes.append(note)
    return mask[0] if by_row else mask[:, 0]


def sparse_part(arrays: dict[str, np.ndarray], names: tuple[str, ...], file: str) -> sp.csr_array | None:
    """Take out the matrix whose data, indices, indptr and shape are saved under a name, None if none is."""
    for name in names:
        joints = ("_", ".") if name else ("",)
        written = [[f"{name}{joint}{part}" for part in PARTS] for joint in joints]
        keys = next((keys for keys in written if keys[0] in arrays), None)
        if keys is None:
            continue
        if missing := [key for key in keys if key not in arrays]:
            raise DataError(f"{file} has {keys[0]} but lacks {', '.join(missing)}. Save it again with all four.")
        data, indices, indptr, shape = (arrays.pop(key) for key in keys)
        try:
            if {array.dtype.kind for array in (indices, indptr, shape)} - {"i", "u"} or shape.shape != (2,):
                raise ValueError("its indices and its shape must be whole numbers")
            size = int(shape[0]), int(shape[1])
            if not 0 < size[0] <= MOST_NODES or not 0 < size[1] <= MOST_COLUMNS or data.dtype.kind not in "biuf":
                raise ValueError(f"it has shape {size} and type {data.dtype}")
            matrix = sp.csr_array((data, indices, indptr), shape=size)
            matrix.check_format(full_check=True)
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            raise DataError(f"{file}: the sparse matrix {name} is damaged: {error}. Save it again.") from error
        return matrix
    return None


def pickled(path: Path, objects: list[str]) -> DataError:
    """Return the refusal of a file that holds Python objects, with the lines that save it again without."""

    def named(*endings: str) -> str:
        return next((key for key in objects if any(part in key for part in endings)), endings[-1])

    return DataError(
        PICKLED.format(
            name=path.name,
            path=path.name,
            keys=listing(objects),
            adjacency=named("adj", "adj_matrix"),
            features=named("attr", "feat", "attr_matrix"),
            labels=named("label", "labels"),
        )
    )


def read_arrays(path: Path, options: ImportOptions) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return the arrays of a file by name, and the names of those that hold Python objects, which stay closed."""
    arrays: dict[str, np.ndarray] = {}
    objects: list[str] = []
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            check_archive(path, members, options)
            for member in members:
                key = member.filename.removesuffix(".npy")
                with archive.open(member) as file:
                    array = read_array(file, member, key, path.name)
                if array is None:
                    objects.append(key)
                else:
                    arrays[key] = array
    except READING as error:
        text = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(f"{path.name} is damaged: {text[:200]}. Save or download it again.") from error
    return arrays, objects


def check_archive(path: Path, members: list[zipfile.ZipInfo], options: ImportOptions) -> None:
    """Refuse an archive that would unpack to more than is allowed, before anything is unpacked."""
    size = sum(member.file_size for member in members)
    if len(members) > MOST_MEMBERS:
        raise DataError(f"{path.name} holds {len(members):,} files; a graph has up to {MOST_MEMBERS}.")
    if size > options.most_bytes:
        raise DataError(
            f"{path.name} unpacks to {size / 1e9:.1f} GB; up to {options.most_gigabytes:g} GB are read. Take a "
            "part of it, or raise most_gigabytes."
        )


def read_array(file, member: zipfile.ZipInfo, key: str, name: str) -> np.ndarray | None:
    """Return one array, None if it holds Python objects; its header may not promise more than the file has."""
    version = np.lib.format.read_magic(file)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in readers:
        raise ValueError(f"{key} has version {version} of NumPy's format")
    shape, fortran, dtype = readers[version](file)
    if dtype.hasobject:
        return None
    count = 1
    for length in shape:
        count *= int(length)
    if count < 0 or dtype.kind not in "biufUS" or (dtype.itemsize == 0 and count > MOST_NODES):
        raise ValueError(f"{key} holds {dtype} of shape {shape}")
    if count * dtype.itemsize > member.file_size:
        raise ValueError(f"{key} promises {count * dtype.itemsize:,} bytes and has {member.file_size:,}")
    data = file.read(count * dtype.itemsize)
    array = np.frombuffer(data, dtype=dtype, count=count) if dtype.itemsize else np.zeros(count, dtype=dtype)
    array = array.reshape(shape[::-1]).T if fortran else array.reshape(shape)
    native = array.astype(dtype.newbyteorder("="))
    return np.char.decode(native, "utf-8") if dtype.kind == "S" else native
