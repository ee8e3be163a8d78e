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
// Pictures are drawn as wide as paper is before it is printed on: A4 less its margins.
function print(isOn) {
  forPrint = isOn;
  root.classList.toggle("printing", isOn);
  redraw();
}
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
addEventListener("resize", redraw);
root.dataset.ready = String(pictures.length);
