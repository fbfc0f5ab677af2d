(function () {
  "use strict";

  const root = document.documentElement;
  const charts = new Map();
  const colours = 8;
  const dashes = { "as configured": [], "bounding only": [8, 5], "without privacy": [2, 4] };

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

  // The charting library is part of this page and loads nothing. A request would be refused and reported.
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

  function variable(name) {
    return getComputedStyle(root).getPropertyValue(name).trim();
  }

  function colour(run) {
    return variable(owner(run) === -1 ? "--shared" : "--c" + owner(run));
  }

  // Without characters that would change the direction of the text around them.
  function label(run) {
    return run.name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "\ufffd");
  }

  function key(run) {
    const stroke = document.createElement("span");
    stroke.className =
      "key " + run.role.replace(" ", "-") + (owner(run) === -1 ? " shared" : " colour" + owner(run));
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
    return curve.filter((each) => each[figure] !== null).map((each) => ({ x: each.examples, y: each[figure] }));
  }

  function dataset(run, pairs) {
    return {
      label: label(run),
      data: pairs,
      borderColor: colour(run),
      backgroundColor: colour(run),
      borderDash: dashes[run.role],
      borderWidth: run.role === "as configured" ? 2.25 : 1.75,
      pointRadius: pairs.length === 1 ? 4 : 0,
      pointHitRadius: 12,
    };
  }

  function compact(value) {
    return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
  }

  function axis(title, more) {
    return Object.assign(
      {
        title: { display: title !== "", text: title, color: variable("--soft") },
        ticks: { color: variable("--soft") },
        grid: { color: variable("--grid") },
        border: { color: variable("--line") },
      },
      more,
    );
  }

  function options(scales, tooltip, more) {
    return Object.assign(
      {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: scales,
        plugins: { legend: { display: false }, tooltip: { callbacks: tooltip } },
      },
      more,
    );
  }

  function draw(id, config, ends) {
    const canvas = document.getElementById(id);
    const before = charts.get(id);
    if (before) {
      before.destroy();
    }
    const title = canvas.closest("figure").querySelector("figcaption").textContent;
    canvas.setAttribute("aria-label", title + ": " + ends.join("; "));
    charts.set(id, new Chart(canvas, config));
  }

  // The first versions may be far off. The axis is chosen by what comes after the first twentieth.
  function settled(sets) {
    const late = sets.flatMap((set) => {
      const end = set.data[set.data.length - 1].x;
      return set.data.filter((point) => point.x >= end / 20).map((point) => point.y);
    });
    const low = late.reduce((a, b) => Math.min(a, b), Infinity);
    const high = late.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(high > low)) {
      return {};
    }
    const margin = (high - low) * 0.08;
    const ticks = {
      color: variable("--soft"),
      includeBounds: false,
      callback: (value) => Number(value.toPrecision(4)),
    };
    return { min: low - margin, max: high + margin, ticks: ticks };
  }

  function drawLines(id, of, pairs, title, bounds) {
    if (!document.getElementById(id)) {
      return;
    }
    const sets = of.map((run) => dataset(run, pairs(run))).filter((set) => set.data.length > 0);
    const x = axis("examples", { type: chosen("scale") });
    x.ticks.callback = compact;
    x.ticks.maxTicksLimit = 9;
    const tooltip = {
      title: (items) => (items.length ? items[0].parsed.x.toLocaleString("en") + " examples" : ""),
      label: (item) => " " + item.dataset.label + ": " + item.parsed.y.toPrecision(5),
    };
    draw(
      id,
      { type: "line", data: { datasets: sets }, options: options({ x: x, y: axis(title, bounds(sets)) }, tooltip) },
      sets.map((set) => set.label + " ends at " + set.data[set.data.length - 1].y.toPrecision(5)),
    );
  }

  function drawTimes(of) {
    const y = axis("", { type: "category" });
    y.ticks.callback = function (value) {
      const name = this.getLabelForValue(value);
      return name.length > 32 ? name.slice(0, 31) + "…" : name;
    };
    const text = (run) =>
      run.seconds.toFixed(2) + " s, " + Math.round(run.examplesPerSecond).toLocaleString("en") + " examples/s";
    const bars = { data: of.map((run) => run.seconds), backgroundColor: of.map(colour), maxBarThickness: 28 };
    draw(
      "time",
      {
        type: "bar",
        data: { labels: of.map(label), datasets: [bars] },
        options: options(
          { x: axis("seconds", { beginAtZero: true }), y: y },
          { label: (item) => " " + text(of[item.dataIndex]) },
          { indexAxis: "y", interaction: { mode: "nearest", axis: "y", intersect: false } },
        ),
      },
      of.map((run) => label(run) + " took " + text(run)),
    );
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
      drawLines("epsilon", configured, (run) => points(run.curve, "epsilon"), "epsilon", () => ({
        beginAtZero: true,
      }));
      drawTimes(shown());
    }
    root.dataset.drawn = String(charts.size);
  }

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  addControls();
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  drawAll();
})();
