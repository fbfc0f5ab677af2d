(function () {
  "use strict";

  const root = document.documentElement;
  const drawn = new Set();
  const colours = 8;

  function broken(message) {
    root.dataset.broken = message;
    let note = document.getElementById("broken");
    if (!note) {
      note = document.createElement("p");
      note.id = "broken";
      note.setAttribute("role", "alert");
      document.body.prepend(note);
    }
    note.textContent = "The plots could not be drawn (" + message + "); the tables hold the same figures.";
  }

  window.addEventListener("error", (event) => broken(event.message));

  // The page loads nothing. A request would be refused and reported.
  document.addEventListener("securitypolicyviolation", (event) => broken(event.violatedDirective));

  const comparison = JSON.parse(document.getElementById("data").textContent);
  const runs = comparison.runs.filter((run) => !run.failed);

  // A run has the colour of its only configuration. References of several configurations are grey.
  function owner(run) {
    const owners = comparison.configurations.filter(
      (each) => each.name === run.name || each.boundingOnly === run.name || each.withoutPrivacy === run.name,
    );
    return owners.length === 1 ? comparison.configurations.indexOf(owners[0]) % colours : -1;
  }

  function classes(run) {
    return run.role.replaceAll(" ", "-") + (owner(run) === -1 ? " shared" : " colour" + owner(run));
  }

  // Without characters that would change the direction of the text around them.
  function label(run) {
    return run.name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "\ufffd");
  }

  function key(run) {
    const stroke = document.createElement("span");
    stroke.className = "key " + classes(run);
    stroke.setAttribute("aria-hidden", "true");
    return stroke;
  }

  function addControls() {
    const rows = document.querySelectorAll("#runs tbody th");
    runs.forEach((run, i) => {
      rows[i].prepend(key(run));
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = true;
      box.dataset.run = i;
      const choice = document.createElement("label");
      choice.append(box, " ", key(run), label(run));
      document.getElementById("shown").append(choice, "\n");
    });
    document.querySelectorAll(".controls input").forEach((input) => input.addEventListener("change", drawAll));
    document
      .querySelectorAll(".controls")
      .forEach((form) => form.addEventListener("submit", (event) => event.preventDefault()));
  }

  function chosen(name) {
    return document.querySelector('input[name="' + name + '"]:checked').value;
  }

  function shown() {
    return runs.filter((run, i) => document.querySelector('input[data-run="' + i + '"]').checked);
  }

  function points(curve, figure) {
    return curve.filter((each) => each[figure] !== null).map((each) => [each.examples, each[figure]]);
  }

  // The first versions may be far off. The axis is chosen by what comes after the first twentieth.
  function settled(sets) {
    return Charts.span(
      sets.flatMap((set) => {
        const end = set.points[set.points.length - 1][0];
        return set.points.filter((point) => point[0] >= end / 20).map((point) => point[1]);
      }),
      0.08,
    );
  }

  function fromZero(sets) {
    return [0, Charts.span(sets.flatMap((set) => set.points.map((point) => point[1])), 0.04)[1]];
  }

  // With the names and figures of its ends for those who do not see it.
  function put(id, ends, draw) {
    const place = document.getElementById(id);
    const title = place.closest("figure").querySelector("figcaption").textContent;
    place.replaceChildren(draw(title + ": " + ends.join("; ")));
    drawn.add(id);
    return place;
  }

  function drawLines(id, of, pairs, title, bounds) {
    if (!document.getElementById(id)) {
      return;
    }
    const sets = of
      .map((run) => ({ name: label(run), className: classes(run), points: pairs(run) }))
      .filter((set) => set.points.length > 0);
    const words = document.createElement("p");
    words.className = "reading";
    words.textContent = title + ", by examples";
    const say = (examples, all) => {
      const figures = all
        .filter((each) => each.point)
        .map((each) => each.name + ": " + each.point[1].toPrecision(5));
      words.textContent = title + " at " + examples.toLocaleString("en") + " examples: " + figures.join("; ");
    };
    put(
      id,
      sets.map((set) => set.name + " ends at " + set.points[set.points.length - 1][1].toPrecision(5)),
      (aria) => (sets.length === 0 ? "" : Charts.lines(aria, sets, bounds(sets), chosen("scale") === "logarithmic", say)),
    ).append(words);
  }

  function drawTimes(of) {
    const bars = of.map((run) => ({
      words:
        label(run) + ": " + run.seconds.toFixed(2) + " s, " + Math.round(run.examplesPerSecond).toLocaleString("en") +
        " examples/s",
      className: classes(run),
      value: run.seconds,
    }));
    put("time", bars.map((bar) => bar.words), (aria) => Charts.bars(aria, bars));
  }

  const titles = {
    loss: "mean loss of all so far",
    recentLoss: "mean loss of the last 5 %",
    accuracy: "accuracy of all so far",
  };

  function drawAll() {
    if (runs.length > 0) {
      const figure = chosen("figure");
      const configured = shown().filter((run) => run.role === "as configured");
      drawLines("loss", shown(), (run) => points(run.curve, figure), titles[figure], settled);
      drawLines("excess", shown(), (run) => points(run.excessCurve, "loss"), "excess mean loss", settled);
      drawLines("epsilon", configured, (run) => points(run.curve, "epsilon"), "epsilon", fromZero);
      drawTimes(shown());
    }
    root.dataset.drawn = String(drawn.size);
  }

  addControls();
  drawAll();
})();
