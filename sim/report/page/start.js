// SPDX-License-Identifier: MIT
root.classList.add("js");
const themeButton = document.getElementById("theme");
function showTheme() {
  themeButton.textContent = isDark() ? "Light colours" : "Dark colours";
  redraw();
}
themeButton.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  showTheme();
});
document.querySelectorAll("table.sortable").forEach(sortable);
showTheme();
prefersDark.addEventListener("change", showTheme);
addEventListener("beforeprint", () => { forPrint = true; redraw(); });
addEventListener("afterprint", () => { forPrint = false; redraw(); });
addEventListener("resize", redraw);
root.dataset.ready = String(pictures.length);
