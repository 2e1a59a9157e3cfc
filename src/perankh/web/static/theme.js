// The theme of all pages: what the system prefers, until the switch in the header is used. A cookie keeps it, so that pages come in it.

const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const button = document.getElementById("theme");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
const show = () => button.setAttribute("aria-pressed", String(isDark()));

button.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
  show();
});
prefersDark.addEventListener("change", show);
show();
