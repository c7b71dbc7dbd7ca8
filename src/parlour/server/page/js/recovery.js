// Loads the page again after a pause when one of its files has not arrived. A browser does not request a module again
// within a page. The server writes this script into the page itself, since a file of its own could be missing, too.

(() => {
  /** Where a tab has the number of its attempts since the page was last complete. */
  const ATTEMPTS = "parlour-attempts";
  /** Milliseconds of the first pause; each pause is twice as long as the previous one. */
  const FIRST_PAUSE = 3000;
  const LONGEST_PAUSE = 48_000;
  /** The number of attempts after which a page that can show an error does: perhaps a module cannot run. */
  const MOST_ATTEMPTS = 6;
  let recovers = false;

  /** Return the number of attempts before this one, and count this one. */
  function countAttempt() {
    try {
      const before = Number(sessionStorage.getItem(ATTEMPTS));
      sessionStorage.setItem(ATTEMPTS, String(before + 1));
      return before;
    } catch {
      return 3; // without storage each pause is a long one
    }
  }

  /** Tell that the page loads again; the element may come later than this script. */
  function tell() {
    const sentence = document.getElementById("incomplete");
    if (sentence) sentence.hidden = false;
    else addEventListener("DOMContentLoaded", tell, { once: true });
  }

  /** @param {number} pause milliseconds; each page takes up to half of it more */
  function reloadAfter(pause) {
    setTimeout(
      async () => {
        const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
        if (answer?.ok) location.reload();
        else reloadAfter(pause);
      },
      pause * (1 + Math.random() / 2),
    );
  }

  /** @param {Event} event its default, if any, is an error in the page; prevented if the page loads again */
  function recover(event) {
    if (!recovers) {
      const attempts = countAttempt();
      if (event.cancelable && attempts >= MOST_ATTEMPTS) return;
      recovers = true;
      tell();
      reloadAfter(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempts));
    }
    event.preventDefault();
  }

  /** @param {Event} event of an element; those of extensions and filters have files from elsewhere */
  function handleError(event) {
    const element = /** @type {Partial<Element> | null} */ (event.target);
    const address = element?.getAttribute?.("src") ?? element?.getAttribute?.("href") ?? "";
    if (element?.matches?.("script, link[rel=stylesheet]") && /^\/page\//.test(address)) recover(event);
  }

  addEventListener("error", handleError, true); // the event of an element does not bubble
  addEventListener("parlour-incomplete", recover);
  addEventListener("parlour-complete", () => {
    if (recovers) return; // another file is missing
    try {
      sessionStorage.removeItem(ATTEMPTS);
    } catch {
      // no storage
    }
  });
})();
