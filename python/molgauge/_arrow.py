"""Tables of the library, in the form of the Arrow C data interface. They can be read with only NumPy."""

import ctypes
import difflib
import weakref
from array import array
from itertools import accumulate
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np

from ._library import ArrowArray, ArrowArrayStream, ArrowSchema, Numbers, Texts, library, require_done


def counted(number: int, what: str) -> str:
    """Returns a number with its noun, for example "1 molecule" or "2 molecules"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


# Functions for capsules, as the Arrow PyCapsule interface defines them.
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer_in_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_in_capsule.restype = ctypes.c_void_p
_pointer_in_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p]

_STREAM = b"arrow_array_stream"

#: The structs of the capsules that are alive, by address.
_in_capsules: Dict[int, ArrowArrayStream] = {}


def _release_capsule(capsule: Any) -> None:
    release(_in_capsules.pop(_pointer_in_capsule(capsule, _STREAM), None))


_end_capsule = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_release_capsule)

# The reference is never released, because a capsule may live longer than this module and then calls the function.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_end_capsule))


def release(struct: Optional[Any]) -> None:
    """Releases a struct of the interface, unless the receiver has released it."""
    if struct is not None and struct.release:
        struct.release(ctypes.byref(struct))


def stream_of(
    texts: Mapping[str, Sequence[str]], numbers: Optional[Mapping[str, Sequence[float]]] = None
) -> ArrowArrayStream:
    """Makes a table with columns of texts and numbers for the library. The library function that receives the stream
    releases it."""
    count = 0
    kept: List[Any] = []  # memory that must live until the library has copied it
    columns, number_columns = (Texts * len(texts))(), (Numbers * len(numbers or {}))()
    for place, (name, values) in enumerate(texts.items()):
        encoded = [value.encode("utf-8", "replace") for value in values]
        count = len(encoded)
        offsets = array("q", accumulate(map(len, encoded), initial=0))
        pointer = ctypes.cast((ctypes.c_int64 * len(offsets)).from_buffer(offsets), ctypes.POINTER(ctypes.c_int64))
        columns[place] = Texts(name.encode(), b"".join(encoded), pointer)
        kept.append(offsets)
    for place, (name, own) in enumerate((numbers or {}).items()):
        doubles = np.ascontiguousarray(own, dtype=np.float64)
        number_columns[place] = Numbers(name.encode(), doubles.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
        kept.append(doubles)
    stream = ArrowArrayStream()
    require_done(
        library().molgauge_plain_stream(
            count, columns, len(columns), number_columns, len(number_columns), ctypes.byref(stream)
        )
    )
    return stream


def _pointer(capsule: Any, name: bytes) -> int:
    return int(_pointer_in_capsule(id(capsule), name))


def arrow_stream_of(column: Any) -> ArrowArrayStream:
    """Returns the stream of an object that has ``__arrow_c_stream__`` or ``__arrow_c_array__``."""
    stream = ArrowArrayStream()
    if hasattr(column, "__arrow_c_stream__"):
        capsule = column.__arrow_c_stream__()
        given = ArrowArrayStream.from_address(_pointer(capsule, _STREAM))
        ctypes.memmove(ctypes.byref(stream), ctypes.byref(given), ctypes.sizeof(given))
        ctypes.memset(ctypes.byref(given), 0, ctypes.sizeof(given))  # `stream` owns the data now
        return stream
    schema, values = column.__arrow_c_array__()
    require_done(
        library().molgauge_array_stream(
            _pointer(schema, b"arrow_schema"), _pointer(values, b"arrow_array"), ctypes.byref(stream)
        )
    )
    return stream


class _Batch:
    """All rows of a table. They are in memory of the library, which is released with this object."""

    def __init__(self, stream: ArrowArrayStream) -> None:
        self.schema, self.array = ArrowSchema(), ArrowArray()
        try:
            if stream.get_schema(ctypes.byref(stream), ctypes.byref(self.schema)) or stream.get_next(
                ctypes.byref(stream), ctypes.byref(self.array)
            ):
                raise MemoryError("out of memory for the table")
        except BaseException:
            release(self.schema)
            raise
        weakref.finalize(self, release, self.schema)
        weakref.finalize(self, release, self.array)


def _buffer(values: Any, place: int, dtype: Any, count: int) -> np.ndarray:
    """Returns a copy of the numbers in a buffer of an ArrowArray. ``place`` is the index of the buffer."""
    address = values.buffers[place]
    if count == 0 or not address:
        return np.empty(0, dtype=dtype)
    copied = np.empty(count, dtype=dtype)
    ctypes.memmove(copied.ctypes.data, address, copied.nbytes)
    return copied


def _bits(values: Any, place: int, count: int) -> np.ndarray:
    packed = _buffer(values, place, np.uint8, (count + 7) // 8)
    return np.unpackbits(packed, bitorder="little")[:count].astype(bool)


def _valid(values: Any) -> Optional[np.ndarray]:
    """Returns a bool array [n] that is true for each value that exists, or None if no value is missing."""
    return _bits(values, 0, values.length) if values.null_count else None


def _with_none(values: "list[Any]", valid: Optional[np.ndarray]) -> np.ndarray:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    if valid is not None:
        column[~valid] = None
    return column


def _text_column(values: Any) -> np.ndarray:
    offsets = _buffer(values, 1, np.int64, values.length + 1)
    if values.length == 0:
        return np.empty(0, dtype=object)
    characters = ctypes.string_at(values.buffers[2], int(offsets[-1]))
    ends = offsets.tolist()
    texts = [characters[begin:end].decode() for begin, end in zip(ends, ends[1:])]
    return _with_none(texts, _valid(values))


def _column(schema: Any, values: Any) -> np.ndarray:
    """Returns a column as a NumPy array. Missing values are NaN in columns of numbers, and None in all other
    columns."""
    kind = schema.format.decode()
    count = values.length
    if schema.dictionary:
        distinct = _column(schema.dictionary.contents, values.dictionary.contents)
        places = _buffer(values, 1, np.int32, count)
        valid = _valid(values)
        if len(distinct) == 0:
            return np.full(count, None, dtype=object)
        column: np.ndarray = distinct[places]
        if valid is not None:
            column[~valid] = None
        return column
    if kind == "g":
        return _buffer(values, 1, np.float64, count)
    if kind == "l":
        whole, valid = _buffer(values, 1, np.int64, count), _valid(values)
        return whole if valid is None else np.where(valid, whole, np.nan)
    if kind == "b":
        truths, valid = _bits(values, 1, count), _valid(values)
        return truths if valid is None else _with_none(truths.tolist(), valid)
    if kind == "U":
        return _text_column(values)
    if kind.startswith("+w:"):
        width = int(kind[3:])
        return _buffer(values.children[0].contents, 1, np.float32, count * width).reshape(count, width)
    if kind == "+l":
        offsets = _buffer(values, 1, np.int32, count + 1).tolist()
        items = schema.children[0].contents, values.children[0].contents
        if items[0].format.startswith(b"+w:"):
            return _with_none(np.split(_column(*items), offsets[1:-1]) if count else [], None)
        rows = _rows(*items)
        return _with_none([rows[begin:end] for begin, end in zip(offsets, offsets[1:])], None)
    raise AssertionError(f"no column of the library has the type {kind}")


def _rows(schema: Any, values: Any) -> List[Dict[str, Any]]:
    """Returns the rows of a structure as dictionaries. NaN becomes None."""
    names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
    columns = [_column(schema.children[i].contents, values.children[i].contents) for i in range(schema.n_children)]
    plain = [[None if one != one else one for one in column.tolist()] for column in columns]
    return [dict(zip(names, row)) for row in zip(*plain)]


def _shown(value: Any) -> str:
    """Returns the text of a value for a table that people read."""
    if value is None or value != value:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


class Table:
    """A table with typed columns. Row i belongs to molecule i of the call that returned the table.

    ``table[name]`` returns a column as a list, and ``numpy(name)`` returns it as an array. ``to_pandas()`` keeps the
    index of the molecules. Polars, pyarrow, DuckDB and other Arrow libraries read the table directly:
    ``polars.DataFrame(table)``, ``pyarrow.table(table)``. Missing values are null.

    Examples
    --------
    >>> table = molgauge.Domain("ecfp").fit(ethers).judge([ethers[20], "junk"])
    >>> table["domain"], table.numpy("in_training")
    (['inside', 'unreadable'], array([True, None], dtype=object))
    """

    def __init__(self, stream: ArrowArrayStream, index: Any = None) -> None:
        self._stream = stream
        self._index = index
        weakref.finalize(self, release, stream)
        again = self._again()
        try:
            self._batch = _Batch(again)
        finally:
            release(again)
        schema = self._batch.schema
        self._places = {schema.children[i].contents.name.decode(): i for i in range(schema.n_children)}

    def _again(self) -> ArrowArrayStream:
        stream = ArrowArrayStream()
        require_done(library().molgauge_stream_again(ctypes.byref(self._stream), ctypes.byref(stream)))
        return stream

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the rows as a stream for Arrow libraries, without copying them. ``requested_schema`` has no
        effect."""
        stream = self._again()
        address = ctypes.addressof(stream)
        _in_capsules[address] = stream
        return _new_capsule(address, _STREAM, ctypes.cast(_end_capsule, ctypes.c_void_p))

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return list(self._places)

    @property
    def num_rows(self) -> int:
        """The number of molecules."""
        return int(self._batch.array.length)

    def numpy(self, name: str) -> np.ndarray:
        """Returns a column as an array.

        Parameters
        ----------
        name:
            The name of the column.

        Returns
        -------
        numpy.ndarray
            Shape [n]. Numbers are float64, and NaN if missing. Texts are objects, and None if missing. Truth
            values are bool, or objects if some are None.

        Raises
        ------
        KeyError
            If the table has no such column.
        """
        place = self._place(name)
        return _column(self._batch.schema.children[place].contents, self._batch.array.children[place].contents)

    def _place(self, name: str) -> int:
        if name not in self._places:
            if isinstance(name, (int, slice)):
                raise KeyError(
                    f"{name} is not the name of a column. Use to_pandas().iloc[{name}] for a row, and table[{next(iter(self._places))!r}] "
                    "for a column"
                )
            nearest = difflib.get_close_matches(str(name), self._places, n=1)
            meant = f"Did you mean {nearest[0]!r}? " if nearest else ""
            raise KeyError(f"no column {name!r}. {meant}The columns are {', '.join(self._places)}")
        return self._places[name]

    def fields(self, name: str) -> "tuple[np.ndarray, Dict[str, np.ndarray]]":
        """Returns the fields of a column of lists of structures, as arrays over the items of all rows.

        Parameters
        ----------
        name:
            The name of the column.

        Returns
        -------
        offsets : numpy.ndarray
            int32 [n + 1]. Row i has the items ``offsets[i]`` to ``offsets[i + 1]``.
        fields : dict of numpy.ndarray
            An array [items] for each field.
        """
        place = self._place(name)
        schema, values = self._batch.schema.children[place].contents, self._batch.array.children[place].contents
        items, own = schema.children[0].contents, values.children[0].contents
        return _buffer(values, 1, np.int32, values.length + 1), {
            items.children[i].contents.name.decode(): _column(items.children[i].contents, own.children[i].contents)
            for i in range(items.n_children)
        }

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with the index of the molecules.

        Columns with few distinct texts are categorical. A column of bool with missing values has the dtype "boolean".

        Returns
        -------
        pandas.DataFrame
            A row for each molecule.
        """
        import pandas

        columns = {}
        for name, place in self._places.items():
            schema, values = self._batch.schema.children[place].contents, self.numpy(name)
            if schema.dictionary:
                columns[name] = pandas.Categorical(values)
            elif schema.format == b"b" and values.dtype == object:
                columns[name] = pandas.array(values.tolist(), dtype="boolean")
            elif values.ndim == 2:
                columns[name] = list(values)
            else:
                columns[name] = values
        return pandas.DataFrame(columns, index=self._index)

    #: Columns that tell why a molecule failed.
    _REASONS = ("domain_reason", "reason")

    @property
    def failed(self) -> Any:
        """The failed molecules (FailedMolecules)."""
        from .encoding import FailedMolecule, FailedMolecules

        name = next((one for one in self._REASONS if one in self._places), None)
        if name is None:
            return FailedMolecules()
        reasons = self.numpy(name)
        rows = [row for row in range(len(reasons)) if reasons[row] is not None]
        if name == "domain_reason":  # the reason can also be a remark about a readable molecule
            verdicts = self.numpy("domain")
            rows = [row for row in rows if verdicts[row] == "unreadable"]
        smiles = self.numpy("smiles") if rows and "smiles" in self._places else [""] * len(reasons)
        return FailedMolecules(FailedMolecule(row, smiles[row], reasons[row]) for row in rows)

    #: Maximum number of columns of to_html(), in addition to the drawing.
    _SHOWN = 8

    def to_html(self, rows: int = 20) -> str:
        """Returns an HTML table of the first molecules with their drawings, which Jupyter shows.

        Parameters
        ----------
        rows:
            The number of molecules that are shown.

        Returns
        -------
        str
            An HTML element.
        """
        from ._html import drawings, table

        count = min(rows, self.num_rows)
        names = [name for name in self._places if name != "nearest"][: self._SHOWN]
        cells = {name: self[name][:count] for name in names}
        drawn = drawings(cells["smiles"], self["foreign_atoms"] if "foreign_atoms" in self else None) if "smiles" in cells else [""] * count
        labels = list(range(count)) if self._index is None else list(self._index[:count])
        return table(
            ("", "molecule", *names),
            ((labels[row], drawn[row], *(_shown(cells[name][row]) for name in names)) for row in range(count)),
            f"{count} of {self.num_rows} molecules",
            drawn=1,
        )

    def _repr_html_(self) -> str:
        return self.to_html()

    def __getitem__(self, name: str) -> List[Any]:
        values: List[Any] = self.numpy(name).tolist()
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def keys(self) -> List[str]:
        """Returns the names of the columns, so that ``dict(table)`` has all columns as lists.

        Returns
        -------
        list of str
            The names.
        """
        return self.columns

    def __len__(self) -> int:
        return self.num_rows

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise TypeError("a table is not one array. Use to_pandas(), numpy(name), or an Arrow library")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._summary()}. {len(self._places)} columns>"

    def __str__(self) -> str:
        return self._summary()

    def _summary(self) -> str:
        """Returns the text that print() shows."""
        failed = len(self.failed)
        return counted(self.num_rows, "molecule") + (f", {failed} failed" if failed else "")

    def __reduce__(self) -> Any:
        raise TypeError("a table cannot be pickled. Pickle to_pandas() or the arrays of its columns")
