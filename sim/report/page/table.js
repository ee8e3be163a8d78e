// SPDX-License-Identifier: MIT
// Tables sorted by a column: numbers by their values, texts by the alphabet; a button in each head.
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return !cell || cell.colSpan > 1 ? null : cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.textContent;
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
      rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : direction * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)))));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
