/**
 * An element that scrolls sideways fades out on the side where there is more, and the keyboard reaches it. Tab does not stop at the
 * others.
 */
(() => {
  const update = (element) => {
    const hidden = element.scrollWidth - element.clientWidth;
    if (hidden > 0) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
    element.classList.toggle("more-left", hidden > 0 && element.scrollLeft > 1);
    element.classList.toggle("more-right", hidden - element.scrollLeft > 1);
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target.closest("pre, .scroll, figure.plot"));
  });
  for (const element of document.querySelectorAll("pre, .scroll, figure.plot")) {
    observer.observe(element);
    // A plot grows within its frame once it is drawn.
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", () => update(element), { passive: true });
  }
})();
