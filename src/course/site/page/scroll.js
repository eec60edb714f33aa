/** Lets the keyboard reach what scrolls sideways, and nothing else: Tab does not stop at every cell. */
(() => {
  const update = ({ target }) => {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  };
  const observer = new ResizeObserver((entries) => entries.forEach(update));
  for (const element of document.querySelectorAll("pre, .scroll, figure.plot")) observer.observe(element);
})();
