"""Makes a page of the site for each public header. The page has the declarations and their comments,
unchanged."""

import pathlib
import re

_SKIPPED = re.compile(r"#pragma once\n|#include [^\n]*\n")


def code_of(text):
    """Returns the declarations of a header, without includes and without the braces of the namespace."""
    text = _SKIPPED.sub("", text)
    text = re.sub(r"\nnamespace molgauge \{\n", "\n", text)
    text = re.sub(r"\n\}  // namespace molgauge\n?", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def summary_of(text):
    """Returns the first sentence of the first doc comment of a header. The page begins with it."""
    comment = re.search(r"(?:^///[^\n]*\n)+", text, re.MULTILINE) or re.search(r"/\*\n(.*?)\*/", text, re.DOTALL)
    if comment is None:
        return ""
    plain = re.sub(r"^\s*(?:///|\*)? ?", "", comment[0].strip("/* \n"), flags=re.MULTILINE)
    words = " ".join(plain.replace("/*", "").split())
    return re.split(r"(?<=[.:]) (?=[A-Z`])", words)[0]


def page(file):
    text = file.read_text(encoding="utf-8")
    language = "c" if file.name == "molgauge.h" else "cpp"
    names = re.findall(r"^(?:struct|class|enum class) (\w+)[^;\n]*\{", text, re.MULTILINE)
    parts = [f"# {file.name}", summary_of(text), f"```cpp\n#include <molgauge/{file.name}>\n```"]
    if names:
        parts.append("Types: " + ", ".join(f"`{name}`" for name in names) + ".")
    parts.append(f"```{language}\n{code_of(text)}\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def pages(folder):
    """Returns a page for each header of a folder, as {path: (title, text)}."""
    return {f"reference/headers/{file.stem}.md": (file.name, page(file)) for file in sorted(pathlib.Path(folder).glob("*.h"))}
