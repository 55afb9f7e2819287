"""Makes the pages of the verbs for the site, from the JSON of `molgauge --options-json`."""

import re

# The first word of a verb is the name of its page. `memory plan encode` is a section of the page `memory`.


def escape(text):
    """Escapes characters of a table cell that Markdown or HTML would interpret."""
    text = re.sub(r"([\\`*_\[\]<>])", r"\\\1", str(text))
    return text.replace("|", "\\|").replace("\n", " ")


def help_of(option, how_to):
    """Returns the help of an option for a table cell. `how_to`: the relative path of the folder of how-to guides. The
    output of `--help` ends with a list of encoders. The pages link to a guide instead.
    """
    link = f"See [Choose an encoder]({how_to}/choose-an-encoder.md)"
    return escape(option["help"]).replace("The list is below", link)


def value_of(option):
    """Returns the values that an option takes, for a table cell."""
    if option["type"] == "flag":
        return ""
    if option["choices"]:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    kind = {"integer": "integer", "number": "number", "text": "text", "list": "one or more"}[option["type"]]
    unit = f" of {option['unit']}" if option["unit"] else ""
    interval = f" in {escape(option['range'])}" if option["range"] else ""
    return kind + unit + interval


#: The groups of options in the order of the help (src/base/options/group.cpp).
ORDER = ["Input", "Output", "Data", "Predictions", "Applicability domain", "Encoder", "Conformers", "Model", "Training",
         "Fine-tuning", "Detector", "Graphs", "Search", "GPU and allocator", "Server", "Limits", "Memory and speed"]


def is_hidden(option):
    """Returns whether only --help-all shows the option."""
    return not option["is_common"] and not option["is_positional"]


def conditions_of(option):
    """Returns sentences about the options that an option needs or excludes, and about the options with which --help
    shows it.
    """
    out = []
    if option["needs"]:
        out.append("Needs " + ", ".join(f"`--{name}`" for name in option["needs"]) + ".")
    if option["excludes"]:
        out.append("Excludes " + ", ".join(f"`--{name}`" for name in option["excludes"]) + ".")
    shown = option["shown_with"]
    if shown:
        out.append("`--help` shows it with " + ", ".join(f"`--{shown['option']} {value}`" for value in shown["values"]) + ".")
    return " ".join(out)


def row(option):
    name = f"`{option['name']}`" if option["is_positional"] else f"`--{option['name']}`"
    if is_hidden(option):
        name += " \\*"
    default = "" if option["default"] in (None, "") or option["type"] == "flag" else f"`{option['default']}`"
    text = help_of(option, "../../how-to")
    if text and not text.endswith("."):
        text += "."
    more = conditions_of(option)
    if option["is_required"]:
        more = "Required. " + more
    return f"| {name} | {value_of(option)} | {default} | {text} {more} |"


def table(options):
    return "\n".join(["| option | values | default | meaning |", "|---|---|---|---|", *map(row, options)])


def usage(verb, options):
    arguments = " ".join(option["name"] if option["is_required"] else f"[{option['name']}]"
                         for option in options if option["is_positional"])
    return f"```text\nmolgauge {verb} {arguments} [OPTIONS]\n```".replace("  ", " ")


def part(verb, options, level):
    text = [f"{'#' * level} molgauge {verb}", usage(verb, options)]
    groups = {}
    for option in options:
        groups.setdefault(option["group"], []).append(option)
    for group in [""] + ORDER:
        members = groups.pop(group, [])
        if members and group:
            text.append(f"**{group}**")
        if members:
            text.append(table(members))
    assert not groups, f"molgauge {verb}: ORDER lacks the groups {list(groups)}"
    if any(is_hidden(option) for option in options):
        text.append("`--help` leaves out the options marked with \\*. `--help-all` shows all options.")
    return "\n\n".join(text)


def pages(verbs):
    """Returns a page for each first word of a verb, as {path: (title, text)}."""
    groups = {}
    for verb, options in verbs.items():
        groups.setdefault(verb.split()[0], []).append((verb, options))
    found = {}
    for name, members in groups.items():
        if len(members) == 1:
            text = part(*members[0], 1)
        else:
            text = f"# molgauge {name}\n\n" + "\n\n".join(part(verb, options, 2) for verb, options in members)
        found[f"reference/verbs/{name}.md"] = (name, text + "\n")
    return found
