# SPDX-License-Identifier: MIT
"""The names that a C++ source defines at the scope of a namespace, read from its tokens: what unity.py compares.

A definition is what stands between the end of the last one and the next `;` or block.
"""
import collections
import re

TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<raw>R\"(?P<mark>[^(\"]*)\(.*?\)(?P=mark)\")"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])+')"
    r"|(?P<word>[A-Za-z_]\w*|\d[\w.']*)"
    r"|(?P<mark2>::|->|&&|.)",
    re.DOTALL,
)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)(?:\\\n|[^\n])*", re.MULTILINE)
DEFINE = re.compile(r"#[ \t]*define[ \t]+(\w+)(.*)", re.DOTALL)
# Of a parameter: what is not its type, whatever its name.
QUALIFIERS = {"const", "constexpr", "struct", "class", "typename", "enum"}

# kind: type, value, function, alias or macro; where: the namespaces around, unnamed ones left out; meaning: the types of a function's
# parameters, what an alias or a macro stands for; own: whether the source has it to itself
Name = collections.namedtuple("Name", "name kind where meaning own line")


def tokens_of(text):
    """(token, line) without comments and directives; a text becomes one token."""
    text = DIRECTIVE.sub(lambda match: re.sub(r"[^\n]", "", match.group()), text)
    found, line, at = [], 1, 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match.group("skip"):
            found.append(("''" if match.group("raw") or match.group("text") else match.group(), line))
        line += match.group().count("\n")
        at = match.end()
    return found


def macros_of(text):
    """What a source defines for the preprocessor and does not take back."""
    defined = {}
    for match in DIRECTIVE.finditer(text):
        define = DEFINE.match(match.group().strip())
        line = text.count("\n", 0, match.start()) + 1
        if define:
            defined[define.group(1)] = Name(define.group(1), "macro", "", " ".join(define.group(2).split()), True, line)
        elif match.group(1) == "undef":
            defined.pop(match.group().split()[1], None)
    return list(defined.values())


def closing(tokens, at, opening, end):
    """The index behind the bracket that closes the one at tokens[at]."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at] == opening) - (tokens[at] == end)
        at += 1
        if depth == 0:
            break
    return at


def without_templates(words):
    """`template <…>` and attributes in front left out; nothing of an explicit instantiation, which names what there is."""
    if words[:1] == ["template"] and words[1:2] != ["<"]:
        return []
    while words[:1] == ["template"] or words[:2] == ["[", "["]:
        pair = "<>" if words[0] == "template" else "[]"
        words = words[closing(words, words.index(pair[0]), *pair) :]
    return words


def parameter_types(words):
    """Of the words between a function's brackets: a type for each parameter, without its name, and with = where it has a default value."""
    types, depth, current = [], 0, []
    for word in words + [","]:
        if word == "," and depth == 0:
            default = ["="] if "=" in current else []
            if default:
                current = current[: current.index("=")]
            current = [w for w in current if w not in QUALIFIERS]
            if len(current) > 1 and re.match(r"[A-Za-z_]\w*$", current[-1]) and current[-2] != "::":
                current = current[:-1]
            if current:
                types.append("".join(current + default))
            current = []
            continue
        depth += (word in "<([{") - (word in ">)]}")
        current.append(word)
    return tuple(types)


def function_brackets(words):
    """(index of a function's name, of its opening bracket), or None: the first bracket behind a word outside of <…> with no = before."""
    depth = 0
    for at, word in enumerate(words):
        if word == "(" and depth == 0 and at > 0:
            return (at - 1, at) if re.match(r"[A-Za-z_]\w*$", words[at - 1]) else None
        if word in ("=", "{") and depth == 0 and "operator" not in words[:at]:
            return None
        depth += (word == "<") - (word == ">")
    return None


def declarators(words):
    """The names in `type a = 1, b[2]`."""
    names, depth, begun = [], 0, 0
    for at, word in enumerate(words + [","]):
        if depth == 0 and word in (",", "=", "{}", "["):
            is_name = at > begun and re.match(r"[A-Za-z_]\w*$", words[at - 1])
            if is_name and (at - begun > 1 or names) and words[at - 2] != "::":
                names.append(words[at - 1])
            if word == "," and not names:
                return []
            begun = at + 1 if word == "," else len(words) + 1  # what initialises is no name
        depth += (word in "<([") - (word in ">)]")
    return names


def declared(words, where, own, line):
    """The names that a statement, or what stands before a block, declares at the scope of a namespace."""
    own = own or "static" in words
    words = without_templates([word for word in words if word not in ("static", "inline", "extern", "thread_local")])
    if not words or words[0] in ("friend", "static_assert", "concept"):
        return []
    if words[0] == "using":
        if words[1] == "namespace":
            return []
        if "=" in words:
            return [Name(words[1], "alias", where, "".join(words[3:]), True, line)]
        return [Name(words[-1], "alias", where, "".join(words[1:]), True, line)]
    if words[0] == "namespace":
        return [Name(words[1], "alias", where, "".join(words[3:]), True, line)] if "=" in words else []
    if words[0] in ("struct", "class", "enum", "union"):
        names = [word for word in words[1:] if word not in ("class", "struct", "final", "alignas")]
        if names and not ("(" in words or "=" in words and words.index("=") > 1 and ":" not in words):
            if re.match(r"[A-Za-z_]", "".join(names[1:2])):  # struct sigaction before {};
                return [Name(names[1], "value", where, "", own, line)]
            return [Name(names[0], "type", where, "", own, line)] if "::" not in names[1:2] else []
    brackets = function_brackets(words)
    if brackets:
        name, opening = brackets
        if words[name - 1 : name] == ["::"] or "operator" in words or name == 0:
            return []  # a member, or a name that the preprocessor makes
        parameters = words[opening + 1 : closing(words, opening, "(", ")") - 1]
        return [Name(words[name], "function", where, parameter_types(parameters), own, line)]
    return [Name(name, "value", where, "", own, line) for name in declarators(words)]


def names_of(text):
    """Everything that a file declares at namespace scope."""
    found = macros_of(text)
    tokens = tokens_of(text)
    words = [token for token, _ in tokens]
    scopes, statement, start, at = [], [], 1, 0  # of namespaces: a name, or None where unnamed
    while at < len(words):
        word = words[at]
        if not statement:
            start = tokens[at][1]
        where, own = "::".join(scope for scope in scopes if scope), None in scopes
        if word == "}" and not statement:
            if scopes:
                scopes.pop()
        elif word == ";":
            found += declared(statement, where, own, start)
            statement = []
        elif (
            word == "{"
            and without_templates(statement)[-2:-1] == ["namespace"]
            or word == "{"
            and statement[:1] in (["namespace"], ["inline"])
            and "namespace" in statement
        ):
            scopes.append("".join(statement[statement.index("namespace") + 1 :]) or None)
            statement = []
        elif word == "{" and statement == ["namespace"]:
            scopes.append(None)
            statement = []
        elif word == "{" and statement == ["extern", "''"]:
            scopes.append("")
            statement = []
        elif word == "{":
            end = closing(words, at, "{", "}")
            is_function = function_brackets(without_templates(statement)) is not None
            # a function's block ends it; a type's or an initialiser's goes on to its ;, and so does one in a list of initialisers
            if is_function and words[end : end + 1] != ["{"] and words[end : end + 1] != [","]:
                found += declared(statement, where, own, start)
                statement = []
            else:
                statement.append("{}")
            at = end
            continue
        else:
            statement.append(word)
        at += 1
    return found
