// Elements of the page, and the words in them.

const byId = (id) => document.getElementById(id);

// A new element with a class and a text.
function element(name, className = "", text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

// Writes only what has changed, because every write makes the browser lay out again.
function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;

// A number with commas between thousands, as everywhere in Jostle.
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
