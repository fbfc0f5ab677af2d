(function () {
  "use strict";

  const root = document.documentElement;
  const drawn = new Map();

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

  // The charting library is inside this page, and asks for nothing either; whatever tries is refused, and told.
  document.addEventListener("securitypolicyviolation", (event) => broken(event.violatedDirective));

  const data = JSON.parse(document.getElementById("data").textContent);
  const colours = 8;
  const dashes = { CONFIGURED: [], BOUNDING: [8, 5], NONE: [2, 4] };

  function variable(name) {
    return getComputedStyle(root).getPropertyValue(name).trim();
  }

  function colour(run) {
    return variable(run.colour < 0 ? "--shared" : "--c" + (run.colour % colours));
  }

  function chosen(name) {
    return document.querySelector('input[name="' + name + '"]:checked').value;
  }

  function shown() {
    return data.runs.filter((run, i) => document.querySelector('input[data-run="' + i + '"]').checked);
  }

  function points(run, column) {
    return run.examples.map((x, i) => ({ x: x, y: column[i] })).filter((point) => point.y !== null);
  }

  function line(run, pairs) {
    return {
      label: run.name,
      data: pairs,
      borderColor: colour(run),
      backgroundColor: colour(run),
      borderDash: dashes[run.role],
      borderWidth: run.role === "CONFIGURED" ? 2.25 : 1.75,
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
        title: { display: true, text: title, color: variable("--soft") },
        ticks: { color: variable("--soft") },
        grid: { color: variable("--grid") },
        border: { color: variable("--line") },
      },
      more,
    );
  }

  function examples() {
    const scale = axis("examples", { type: chosen("scale") });
    scale.ticks.callback = compact;
    scale.ticks.maxTicksLimit = 9;
    return scale;
  }

  function options(scales, tooltip) {
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      parsing: true,
      interaction: { mode: "nearest", axis: "x", intersect: false },
      scales: scales,
      plugins: {
        legend: { display: false },
        tooltip: { callbacks: tooltip },
      },
    };
  }

  function lines(id, runs, pairs, title, bounds) {
    const canvas = document.getElementById(id);
    if (!canvas) {
      return;
    }
    const sets = runs.map((run) => line(run, pairs(run))).filter((set) => set.data.length > 0);
    draw(canvas, {
      type: "line",
      data: { datasets: sets },
      options: options(
        { x: examples(), y: axis(title, bounds(sets)) },
        {
          title: (items) => (items.length ? items[0].parsed.x.toLocaleString("en") + " examples" : ""),
          label: (item) => " " + item.dataset.label + ": " + item.parsed.y.toPrecision(5),
        },
      ),
    });
  }


  // The first few versions may be far off; what comes after the first twentieth decides the frame.
  function settled(sets) {
    let low = Infinity;
    let high = -Infinity;
    for (const set of sets) {
      const end = set.data[set.data.length - 1].x;
      for (const point of set.data) {
        if (point.x >= end / 20) {
          low = Math.min(low, point.y);
          high = Math.max(high, point.y);
        }
      }
    }
    if (!(low < high)) {
      return {};
    }
    const room = (high - low) * 0.08;
    return { min: low - room, max: high + room, ticks: ticks() };
  }

  function ticks() {
    return { color: variable("--soft"), includeBounds: false, callback: (value) => Number(value.toPrecision(4)) };
  }

  function draw(canvas, config) {
    const before = drawn.get(canvas.id);
    if (before) {
      before.destroy();
    }
    drawn.set(canvas.id, new Chart(canvas, config));
  }

  function time(runs) {
    const scales = { x: axis("seconds", { beginAtZero: true }), y: axis("", { type: "category" }) };
    scales.y.title.display = false;
    scales.y.ticks.callback = function (value) {
      const label = this.getLabelForValue(value);
      return label.length > 32 ? label.slice(0, 31) + "…" : label;
    };
    const config = options(scales, {
      label: (item) =>
        " " + item.parsed.x.toFixed(2) + " s, " + runs[item.dataIndex].rate.toLocaleString("en") + " examples/s",
    });
    config.indexAxis = "y";
    config.interaction = { mode: "nearest", axis: "y", intersect: false };
    draw(document.getElementById("time"), {
      type: "bar",
      data: {
        labels: runs.map((run) => run.name),
        datasets: [
          {
            data: runs.map((run) => run.seconds),
            backgroundColor: runs.map(colour),
            maxBarThickness: 28,
          },
        ],
      },
      options: config,
    });
  }

  const figures = {
    loss: "mean loss of all so far",
    recent: "mean loss of the last 5 %",
    accuracy: "accuracy of all so far",
  };

  function all() {
    if (data.runs.length === 0) {
      root.dataset.drawn = "0";
      return;
    }
    const runs = shown();
    const figure = chosen("figure");
    lines("loss", runs, (run) => points(run, run[figure]), figures[figure], settled);
    lines("excess", runs, (run) => run.excess.map((pair) => ({ x: pair[0], y: pair[1] })), "excess mean loss", settled);
    lines(
      "epsilon",
      runs.filter((run) => run.role === "CONFIGURED"),
      (run) => points(run, run.epsilon),
      "epsilon",
      () => ({ beginAtZero: true }),
    );
    time(runs);
    root.dataset.drawn = String(drawn.size);
  }

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  document.querySelectorAll(".controls input").forEach((input) => input.addEventListener("change", all));
  document.querySelectorAll(".controls").forEach((form) => form.addEventListener("submit", (e) => e.preventDefault()));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  all();
})();
