# SPDX-License-Identifier: MIT
"""The mutants of a C++ file: small changes of its tokens that a test should notice.

Works on tokens, without a compiler. It relies on the tree being formatted: a binary operator has a space on both sides, a template's
bracket, a pointer and a reference have not. Left alone are comments, texts, preprocessor lines, assertions, whatever is thrown, and
what only makes things faster (reserve, prefetch, alignment).
"""
import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<text>R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
      | (?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
      | (?P<number>(?:0[xX][0-9a-fA-F']+|(?:\d[\d']*)?\.?\d[\d']*(?:[eE][+-]?\d+)?\.?)[uUlLfFzZ]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign><=>|<<=|>>=|->\*|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
SPACED = {  # binary operators
    "comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "arithmetic": {
        "+": "-",
        "-": "+",
        "*": "/",
        "/": "*",
        "%": "*",
        "+=": "-=",
        "-=": "+=",
        "*=": "/=",
        "<<": ">>",
        ">>": "<<",
    },
    "logic": {"&&": "||", "||": "&&"},
}
WORDS = {"constant": {"true": "false", "false": "true"}, "arithmetic": {"min": "max", "max": "min"}}
# calls whose arguments decide no result
WITHOUT_EFFECT = {
    "assert",
    "static_assert",
    "REPRISE_ASSERT",
    "alignas",
    "reserve",
    "__builtin_prefetch",
    "prefetch",
    "fetch",
}
# functions that fetch memory before it is needed, and by contract change nothing (sim/network/network.hpp)
FETCHING = {"forecast", "prepare"}
BEFORE_BLOCK = {")", "else", "do", "try", "const", "noexcept", "override", "mutable"}
CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    column: int
    kind: str
    old: str
    new: str
    begin: int  # offsets in the file's text
    end: int
    code: str  # the line as it was, stripped

    @property
    def name(self):
        return f"{self.file}:{self.line}:{self.column} {' '.join(self.old.split())} -> {self.new}"


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    begin: int
    spaced: bool = False  # white space on both sides

    @property
    def end(self):
        return self.begin + len(self.text)


def tokens_of(source):
    tokens = []
    space_before = True
    for found in TOKEN.finditer(source):
        kind = found.lastgroup if found.lastgroup != "raw" else "text"
        if kind in ("space", "comment", "directive"):
            space_before = True
            continue
        after = source[found.end() : found.end() + 1]
        tokens.append(Token(kind, found.group(), found.start(), space_before and (not after or after.isspace())))
        space_before = False
    return tokens


def closing_of(tokens, opening):
    """The index of the bracket that closes the one at `opening`, or None."""
    depth = 0
    for index in range(opening, len(tokens)):
        if tokens[index].text in CLOSING:
            depth += 1
        elif tokens[index].text in CLOSING.values():
            depth -= 1
            if depth == 0:
                return index
    return None


def left_alone(tokens):
    """Indices of tokens in assertions, in what is thrown, and in calls and functions without an effect on results."""
    skipped = set()
    for index, token in enumerate(tokens):
        if token.text == "throw":
            end = index
            while end < len(tokens) and tokens[end].text != ";":
                end += 1
            skipped.update(range(index, end))
        elif token.text in WITHOUT_EFFECT and index + 1 < len(tokens) and tokens[index + 1].text == "(":
            end = closing_of(tokens, index + 1)
            skipped.update(range(index, (end or index) + 1))
        elif token.text in FETCHING and index + 1 < len(tokens) and tokens[index + 1].text == "(":
            body = (closing_of(tokens, index + 1) or index) + 1
            while body < len(tokens) and tokens[body].text in ("const", "override"):
                body += 1
            if body < len(tokens) and tokens[body].text == "{":
                skipped.update(range(index, (closing_of(tokens, body) or index) + 1))
    return skipped


def statements(tokens):
    """(first, last) token of each expression statement in a function's body: a call or an assignment, never a declaration."""
    scopes = []
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index else ""
        if token.text == "{":
            scopes.append(before in BEFORE_BLOCK or (bool(scopes) and scopes[-1] and before in ("{", "}", ";", ":")))
        elif token.text == "}" and scopes:
            scopes.pop()
        if not scopes or not scopes[-1] or token.kind != "word" or before not in ("{", "}", ";", ")", "else"):
            continue
        at = index + 1
        calls = False
        while at is not None and at < len(tokens):
            text = tokens[at].text
            if text in ("::", ".", "->") and at + 1 < len(tokens) and tokens[at + 1].kind == "word":
                at += 2
            elif text in ("(", "["):
                calls = calls or text == "("
                at = closing_of(tokens, at)
                at = None if at is None else at + 1
            else:
                break
        if (
            at is None
            or at >= len(tokens)
            or token.text in ("if", "for", "while", "switch", "return", "throw", "case", "delete")
        ):
            continue
        text = tokens[at].text
        if text == ";" and calls:
            yield index, at
        elif text in ("=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>=", "++", "--"):
            end = at
            while end < len(tokens) and tokens[end].text != ";":
                end = closing_of(tokens, end) or end if tokens[end].text in CLOSING else end
                end += 1
            if end < len(tokens):
                yield index, end


def neighbouring_numbers(text):
    """An integer's neighbours, a fraction's double."""
    found = re.fullmatch(r"(\d[\d']*)([uUlLzZ]*)", text)
    if found:
        value = int(found.group(1).replace("'", ""))
        yield f"{value + 1}{found.group(2)}"
        if value > 0:
            yield f"{value - 1}{found.group(2)}"
    elif re.fullmatch(r"[\d.]+(?:[eE][+-]?\d+)?", text):
        yield f"{2 * float(text) or 1.0!r}"


def replacements(tokens, index):
    """(kind, new text) for one token."""
    token = tokens[index]
    before = tokens[index - 1] if index else token
    after = tokens[index + 1] if index + 1 < len(tokens) else token
    if token.kind == "sign":
        for kind, table in SPACED.items():
            if token.text in table and token.spaced and "text" not in (before.kind, after.kind):
                yield kind, table[token.text]
        if token.text in ("++", "--"):
            yield "arithmetic", "--" if token.text == "++" else "++"
        if token.text == "!":
            yield "negation", ""
    elif token.kind == "word":
        for kind, table in WORDS.items():
            if token.text in table and (kind == "constant" or (before.text == "::" and after.text == "(")):
                yield kind, table[token.text]
    elif token.kind == "number":
        pure_virtual = (
            token.text == "0"
            and before.text == "="
            and after.text == ";"
            and tokens[index - 2].text in (")", "const", "noexcept")
        )
        if not pure_virtual:
            for number in neighbouring_numbers(token.text):
                yield "constant", number


def mutants_of(file, source):
    tokens = tokens_of(source)
    skipped = left_alone(tokens)

    def mutant(kind, begin, end, new):
        line_start = source.rfind("\n", 0, begin) + 1
        line_end = source.find("\n", begin)
        return Mutant(
            file=file,
            line=source.count("\n", 0, begin) + 1,
            column=begin - line_start + 1,
            kind=kind,
            old=source[begin:end],
            new=new,
            begin=begin,
            end=end,
            code=source[line_start : line_end if line_end >= 0 else len(source)].strip(),
        )

    for index, token in enumerate(tokens):
        if index in skipped:
            continue
        for kind, new in replacements(tokens, index):
            yield mutant(kind, token.begin, token.end, new)
        if token.text in ("if", "while") and index + 1 < len(tokens) and tokens[index + 1].text == "(":
            end = closing_of(tokens, index + 1)
            inside = tokens[index + 2 : end]
            # not where something is declared, nor where a single "==" or "!" is turned round already
            elsewhere = (
                (";", "=", "auto", "true")
                if any(t.text in ("&&", "||") for t in inside)
                else (";", "=", "auto", "true", "==", "!=", "!")
            )
            if end and inside and not any(t.text in elsewhere for t in inside):
                begin, stop = inside[0].begin, inside[-1].end
                yield mutant("negation", begin, stop, f"!({source[begin:stop]})")
    for first, last in statements(tokens):
        if skipped.isdisjoint(range(first, last)):
            yield mutant("dropped statement", tokens[first].begin, tokens[last].begin, "")


def apply(source, mutant):
    return source[: mutant.begin] + mutant.new + source[mutant.end :]
