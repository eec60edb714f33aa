/** Lets the browser keep the site, and offers a new version of it; the reader says when it comes. */
(() => {
  const { serviceWorker } = navigator;
  // On an insecure address there is none. Who saves data is not given the whole site.
  if (serviceWorker === undefined || navigator.connection?.saveData === true) return;
  const root = new URL("..", document.querySelector('script[src$="assets/offline.js"]').src);

  const offer = (waiting) => {
    if (document.querySelector(".new-version") !== null) return;
    const line = document.createElement("p");
    line.className = "new-version";
    line.setAttribute("role", "status");
    const take = document.createElement("button");
    take.type = "button";
    take.textContent = "Show it";
    take.addEventListener("click", () => {
      serviceWorker.addEventListener("controllerchange", () => location.reload());
      waiting.postMessage("take over");
    });
    line.append("There is a newer version of the course. What you have written stays. ", take);
    document.body.prepend(line);
  };

  const follow = async () => {
    const registration = await serviceWorker.register(new URL("sw.js", root), { scope: root });
    const look = () => {
      // The first version to be kept replaces none.
      if (registration.waiting !== null && serviceWorker.controller !== null) offer(registration.waiting);
    };
    look();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", look);
    });
  };
  // The page itself comes first.
  addEventListener("load", () => setTimeout(() => follow().catch(() => {}), 1000));
})();
