"use strict";
(() => {
  // ---- The data, in columns. Times are microseconds from the first record.
  const data = JSON.parse(document.getElementById("data").textContent);
  const kinds = data.kinds;
  const waitsFrom = kinds.findIndex((kind) => kind.startsWith("wait-"));
  const wall = Math.max(data.wall, 1);
  const totals = new Float64Array(kinds.length);
  // Each partition's intervals: row, position.
  const story = data.parts.map(() => []);

  const rows = data.rows.map((source, at) => {
    const columns = 6, n = source.intervals.length / columns;
    const row = {
      device: source.device, index: source.index, n,
      from: new Float64Array(n), to: new Float64Array(n), kind: new Uint8Array(n),
      part: new Int32Array(n), cause: new Int32Array(n), ending: new Uint8Array(n), spans: [], longest: 0,
    };
    for (let i = 0; i < n; i++) {
      const [from, length, kind, part, cause, ending] = source.intervals.slice(i * columns, i * columns + columns);
      row.from[i] = from; row.to[i] = from + length; row.kind[i] = kind;
      row.part[i] = part; row.cause[i] = cause; row.ending[i] = ending;
      totals[kind] += length;
      story[part].push([at, i]);
    }
    for (let i = 0; i + 4 < source.spans.length; i += 5) {
      const [from, length, name, part, bytes] = source.spans.slice(i, i + 5);
      row.spans.push({ from, to: from + length, name: data.names[name], part, bytes });
      row.longest = Math.max(row.longest, length);
    }
    return row;
  });
  for (const list of story) list.sort((a, b) => rows[a[0]].from[a[1]] - rows[b[0]].from[b[1]]);

  const devices = data.devices.map((source) => {
    const n = source.memory.length / 4;
    const device = {
      name: source.name, budget: source.budget, n, most: source.budget,
      t: new Float64Array(n), bytes: new Float64Array(n), reserved: new Float64Array(n), budgets: new Float64Array(n),
    };
    for (let i = 0; i < n; i++) {
      device.t[i] = source.memory[4 * i]; device.bytes[i] = source.memory[4 * i + 1];
      device.reserved[i] = source.memory[4 * i + 2]; device.budgets[i] = source.memory[4 * i + 3];
      device.most = Math.max(device.most, device.bytes[i], device.reserved[i], device.budgets[i]);
    }
    return device;
  });

  // Kinds as the legend lists them.
  const order = ["synthesis", "prepare", "stage", "compute", "slow", "finish", "drop"].map((kind) => kinds.indexOf(kind));
  for (let kind = waitsFrom; kind < kinds.length; kind++) order.push(kind);

  // ---- Words.
  const LABELS = {
    slow: "compute, slow path", "wait-lock": "waits: lock", "wait-order": "waits: its turn",
    "wait-room": "waits: room", "wait-ahead": "waits: enough staged", "wait-memory": "waits: memory", "wait-unsaid": "waits",
  };
  const label = (kind) => LABELS[kinds[kind]] || kinds[kind];
  const trim = (value, digits) => value.toFixed(digits);
  function duration(us) {
    if (us < 1e3) return `${trim(us, us % 1 ? 1 : 0)} µs`;
    if (us < 1e6) return `${trim(us / 1e3, us < 1e5 ? 2 : 1)} ms`;
    if (us < 12e7) return `${trim(us / 1e6, us < 1e7 ? 3 : 2)} s`;
    const s = Math.round(us / 1e6);
    if (s < 7200) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, "0")} s`;
    return `${Math.floor(s / 3600)} h ${String(Math.floor(s / 60) % 60).padStart(2, "0")} min`;
  }
  function bytesText(bytes) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (bytes >= 1023.95 && unit + 1 < units.length) { bytes /= 1024; unit++; }
    return `${trim(bytes, unit ? 1 : 0)} ${units[unit]}`;
  }
  // A time on the axis: in the unit of the largest that is shown, as exact as the step.
  function clock(us, step, largest) {
    if (largest >= 12e7) {
      const digits = step < 1e6 ? Math.max(0, Math.ceil(-Math.log10(step / 1e6) - 1e-9)) : 0;
      const scale = 10 ** digits, all = Math.round((us / 1e6) * scale) / scale;
      const h = Math.floor(all / 3600), m = Math.floor(all / 60) % 60, s = all - 3600 * h - 60 * m;
      const tail = trim(s, digits).padStart(digits ? digits + 3 : 2, "0");
      return h ? `${h}:${String(m).padStart(2, "0")}:${tail}` : `${m}:${tail}`;
    }
    const [unit, size] = largest >= 1e6 ? ["s", 1e6] : largest >= 1e3 ? ["ms", 1e3] : ["µs", 1];
    return `${trim(us / size, Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9)))} ${unit}`;
  }
  const STEPS = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400].map((s) => s * 1e6);
  function tickStep(least) {
    if (least > 10e6) return STEPS.find((step) => step >= least) || Math.ceil(least / 864e8) * 864e8;
    const ten = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return [1, 2, 5, 10].map((factor) => factor * ten).find((step) => step >= least);
  }

  // ---- Where things are.
  const $ = (id) => document.getElementById(id);
  const chart = $("chart"), over = $("over"), axis = $("axis"), tip = $("tip");
  const GUTTER = 118, RIGHT = 10, AXIS = 34, HEAD = 24, MEMORY = 96;
  const ROW = Math.max(6, Math.min(28, Math.floor(4000 / Math.max(rows.length, 1))));
  const bands = [];
  let height = 0;
  function band(type, h, more) { bands.push({ type, y: height, h, ...more }); height += h; }
  const ofHost = rows.filter((row) => row.device === null);
  if (ofHost.length) {
    band("head", HEAD, { text: "host" });
    for (const row of ofHost) band("row", ROW, { row, text: `synthesis ${row.index}` });
  }
  devices.forEach((device, position) => {
    band("head", HEAD, { text: devices.length > 1 ? `device ${position}: ${device.name}` : device.name });
    for (const row of rows) if (row.device === position) band("row", ROW, { row, text: `worker ${row.index}` });
    band("memory", MEMORY, { device, text: "memory" });
  });
  height = Math.max(height, 40);
  const bandOf = new Map(bands.filter((b) => b.row).map((b) => [b.row, b]));

  let width = 800, ratio = 1;
  const view = { from: 0, to: wall };
  const hidden = new Uint8Array(kinds.length);
  let hover = null, mouse = null, pinned = -1;
  const scale = () => (width - GUTTER - RIGHT) / (view.to - view.from);
  const toX = (t) => GUTTER + (t - view.from) * scale();
  const toT = (x) => view.from + (x - GUTTER) / scale();

  // ---- Colours, from the style sheet, so that the theme is decided in one place.
  let theme = {};
  function readTheme() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(`--${name}`).trim();
    theme = { fill: [], ink: [], solid: [] };
    for (const name of ["panel", "line", "grid", "row", "text", "soft", "accent", "budget", "compute", "slow"]) theme[name] = get(name);
    const context = chart.getContext("2d");
    kinds.forEach((kind, at) => {
      const colour = get(kind) || theme.soft;
      theme.solid[at] = colour;
      theme.fill[at] = at >= waitsFrom ? hatch(context, colour, at) : colour;
      theme.ink[at] = at >= waitsFrom ? theme.text : inkOn(colour);
    });
  }
  function inkOn(colour) {
    const part = (at) => {
      const value = parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
    return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
  }
  // Hatched, so that waits are told from work without colours; the reasons lean to different sides.
  function hatch(context, colour, at) {
    const size = 8 * ratio, tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const c = tile.getContext("2d");
    c.fillStyle = colour; c.globalAlpha = 0.16; c.fillRect(0, 0, size, size);
    c.globalAlpha = 0.75; c.strokeStyle = colour; c.lineWidth = 1.3 * ratio;
    const back = (at - waitsFrom) % 2 === 1;
    for (let shift = -size; shift <= size; shift += size / 2) {
      c.beginPath();
      c.moveTo(shift - 1, back ? -1 : size + 1);
      c.lineTo(shift + size + 1, back ? size + 1 : -1);
      c.stroke();
    }
    const pattern = context.createPattern(tile, "repeat");
    if (pattern && pattern.setTransform && typeof DOMMatrix === "function") pattern.setTransform(new DOMMatrix().scale(1 / ratio));
    return pattern || colour;
  }

  // ---- Drawing.
  const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
  function fit(canvas, h) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(h * ratio);
    canvas.style.height = `${h}px`;
    canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  function resize() {
    width = Math.max(320, $("frame").clientWidth);
    ratio = Math.min(window.devicePixelRatio || 1, 2);
    fit(chart, height); fit(over, height); fit(axis, AXIS);
    readTheme();
    draw();
  }
  let asked = false;
  function draw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; drawAxis(); drawChart(); drawOver(); });
  }
  // The first position whose value is greater.
  function after(list, n, value) {
    let low = 0, high = n;
    while (low < high) { const middle = (low + high) >> 1; if (list[middle] > value) high = middle; else low = middle + 1; }
    return low;
  }
  function ticks(visit) {
    const step = tickStep(95 / scale());
    for (let i = Math.ceil(view.from / step); i * step <= view.to; i++) visit(i * step, step);
  }
  function drawAxis() {
    const c = axis.getContext("2d");
    c.clearRect(0, 0, width, AXIS);
    const plot = width - GUTTER - RIGHT;
    // What part of everything is shown.
    c.fillStyle = theme.grid; c.fillRect(GUTTER, 2, plot, 4);
    c.fillStyle = theme.accent;
    c.fillRect(GUTTER + (view.from / wall) * plot, 2, Math.max(3, ((view.to - view.from) / wall) * plot), 4);
    c.font = FONT; c.textBaseline = "middle"; c.textAlign = "center";
    ticks((t, step) => {
      const x = toX(t), text = clock(t, step, view.to), half = c.measureText(text).width / 2;
      c.fillStyle = theme.line; c.fillRect(Math.round(x), AXIS - 6, 1, 6);
      c.fillStyle = theme.soft; c.fillText(text, Math.min(x, width - half - 1), 19);
    });
    c.textAlign = "left"; c.fillStyle = theme.soft;
    c.fillText(`${duration(view.to - view.from)} shown`, 2, 19);
    c.fillStyle = theme.line; c.fillRect(0, AXIS - 1, width, 1);
  }
  function drawChart() {
    const c = chart.getContext("2d");
    c.globalAlpha = 1;
    c.clearRect(0, 0, width, height);
    c.font = FONT; c.textBaseline = "middle"; c.textAlign = "left";
    for (const b of bands) {
      if (b.type === "row") { c.fillStyle = theme.row; c.fillRect(GUTTER, b.y + 1, width - GUTTER - RIGHT, b.h - 2); }
    }
    c.fillStyle = theme.grid;
    ticks((t) => c.fillRect(Math.round(toX(t)), 0, 1, height));
    c.save();
    c.beginPath(); c.rect(GUTTER, 0, width - GUTTER - RIGHT, height); c.clip();
    for (const b of bands) if (b.row) drawRow(c, b);
    c.restore();
    for (const b of bands) if (b.device) drawMemory(c, b);
    for (const b of bands) drawLabel(c, b);
  }
  function drawLabel(c, b) {
    c.globalAlpha = 1; c.textAlign = "left"; c.textBaseline = "middle";
    if (b.type === "head") {
      c.fillStyle = theme.text; c.font = FONT.replace("11px", "600 12px");
      c.fillText(b.text, 2, b.y + b.h / 2 + 2);
      c.font = FONT;
    } else if (b.h >= 10) {
      c.fillStyle = theme.soft;
      c.fillText(b.text, 12, b.type === "memory" ? b.y + 14 : b.y + b.h / 2);
    }
  }
  const faint = (part) => pinned >= 0 && part !== pinned;
  const sums = new Float64Array(kinds.length);
  function drawRow(c, b) {
    const { row } = b, k = scale(), y = b.y + 2, h = b.h - 4;
    let column = -1, any = false, bright = false;
    // What is narrower than a pixel is merged: the pixel is divided as its time is.
    const flush = () => {
      if (!any) return;
      c.globalAlpha = bright ? 1 : 0.18;
      let bottom = y + h;
      for (const kind of order) {
        if (!sums[kind]) continue;
        const part = Math.min(sums[kind] * k * h, bottom - y);
        c.fillStyle = theme.solid[kind];
        c.fillRect(column, bottom - part, 1, part);
        bottom -= part;
        sums[kind] = 0;
      }
      any = false; bright = false;
    };
    for (let i = after(row.to, row.n, view.from); i < row.n && row.from[i] < view.to; i++) {
      const kind = row.kind[i];
      if (hidden[kind]) continue;
      const x0 = GUTTER + (row.from[i] - view.from) * k, x1 = GUTTER + (row.to[i] - view.from) * k, w = x1 - x0;
      if (w < 1) {
        const at = Math.floor(x0);
        if (at !== column) { flush(); column = at; }
        sums[kind] += row.to[i] - row.from[i];
        any = true; bright = bright || !faint(row.part[i]);
        continue;
      }
      flush();
      c.globalAlpha = faint(row.part[i]) ? 0.18 : 1;
      c.fillStyle = theme.fill[kind];
      const gap = w > 4 ? 1 : 0;
      if (w > 8 && h > 12 && c.roundRect) { c.beginPath(); c.roundRect(x0, y, w - gap, h, 2.5); c.fill(); } else c.fillRect(x0, y, w - gap, h);
      if (w > 26 && h > 12) drawText(c, row, i, Math.max(x0, GUTTER), Math.min(x1, width - RIGHT), y, h);
    }
    flush();
    drawSpans(c, row, y, h);
  }
  function drawText(c, row, i, x0, x1, y, h) {
    const kind = row.kind[i], name = data.parts[row.part[i]].name, room = x1 - x0 - 10;
    const long = kind >= waitsFrom ? `${name} ${label(kind)}` : `${name} ${kinds[kind] === "slow" ? "compute, slow" : kinds[kind]}`;
    const text = [long, name].find((text) => c.measureText(text).width <= room);
    if (!text) return;
    if (kind >= waitsFrom) {
      // Hatching under text makes it hard to read.
      const alpha = c.globalAlpha;
      c.fillStyle = theme.panel; c.globalAlpha = 0.72 * alpha;
      c.fillRect(x0 + 3, y + h / 2 - 7, c.measureText(text).width + 5, 14);
      c.globalAlpha = alpha;
    }
    c.fillStyle = theme.ink[kind];
    c.fillText(text, x0 + 5.5, y + h / 2 + 0.5);
  }
  // What was measured within a phase: lines along its lower edge.
  function drawSpans(c, row, y, h) {
    if (h < 16 || row.longest * scale() < 2) return;
    let last = -10, odd = false;
    for (let i = firstSpan(row, view.from); i < row.spans.length && row.spans[i].from < view.to; i++) {
      const span = row.spans[i];
      if (span.to <= view.from) continue;
      const x0 = toX(span.from), x1 = toX(span.to);
      if (x1 - x0 < 2 || x1 - last < 2) continue;
      odd = !odd;
      c.globalAlpha = faint(span.part) ? 0.1 : odd ? 0.6 : 0.35;
      c.fillStyle = theme.panel;
      c.fillRect(x0 + 1, y + h - 4, Math.max(1, x1 - x0 - 2), 2.5);
      last = x1;
    }
    c.globalAlpha = 1;
  }
  // The first that may reach beyond a time; they are in the order of their beginnings.
  function firstSpan(row, t) {
    let low = 0, high = row.spans.length;
    while (low < high) { const middle = (low + high) >> 1; if (row.spans[middle].from >= t - row.longest) high = middle; else low = middle + 1; }
    return low;
  }
  function drawMemory(c, b) {
    const { device } = b, top = b.y + 8, bottom = b.y + b.h - 8, left = GUTTER, right = width - RIGHT;
    const y = (bytes) => bottom - (bytes / Math.max(device.most * 1.08, 1)) * (bottom - top);
    c.globalAlpha = 1; c.fillStyle = theme.row; c.fillRect(left, top, right - left, bottom - top);
    c.fillStyle = theme.line; c.fillRect(left, bottom, right - left, 1);
    c.save();
    c.beginPath(); c.rect(left, top - 2, right - left, bottom - top + 3); c.clip();
    if (device.n) {
      c.fillStyle = theme.compute; c.globalAlpha = 0.32;
      curve(c, device, device.bytes, y, true, bottom); c.fill();
      c.globalAlpha = 1; c.strokeStyle = theme.compute; c.lineWidth = 1.4;
      curve(c, device, device.bytes, y, false, bottom); c.stroke();
      // Dashes of many steps are no line.
      const seen = after(device.t, device.n, view.to) - after(device.t, device.n, view.from);
      c.strokeStyle = theme.slow; c.setLineDash(seen > 400 ? [] : [5, 3]);
      curve(c, device, device.reserved, y, false, bottom); c.stroke();
    }
    c.strokeStyle = theme.budget; c.setLineDash([2, 3]); c.lineWidth = 1.4;
    c.beginPath(); c.moveTo(left, y(device.budget)); c.lineTo(right, y(device.budget)); c.stroke();
    c.setLineDash([]);
    c.restore();
    c.font = FONT; c.textBaseline = "middle"; c.textAlign = "right"; c.fillStyle = theme.budget;
    c.fillText(bytesText(device.budget), left - 6, y(device.budget));
    c.fillStyle = theme.soft; c.fillText("0", left - 6, bottom - 1);
    c.textAlign = "left";
    const key = (text, colour, at, dash) => {
      c.strokeStyle = colour; c.lineWidth = 2; c.setLineDash(dash);
      c.beginPath(); c.moveTo(12, b.y + at); c.lineTo(28, b.y + at); c.stroke(); c.setLineDash([]);
      c.fillStyle = theme.soft; c.fillText(text, 33, b.y + at);
    };
    key("bytes", theme.compute, 34, []);
    key("granted", theme.slow, 50, [5, 3]);
    key("budget", theme.budget, 66, [2, 3]);
    if (!device.n) { c.fillStyle = theme.soft; c.fillText("not recorded", left + 8, (top + bottom) / 2); }
  }
  // Steps; of those within a pixel, the most.
  function curve(c, device, values, y, area, bottom) {
    const { n, t } = device, right = width - RIGHT, k = scale(), x = (at) => GUTTER + (t[at] - view.from) * k;
    let i = Math.max(0, after(t, n, view.from) - 1);
    let from = Math.max(GUTTER - 2, x(i)), level = y(values[i]);
    c.beginPath();
    if (area) { c.moveTo(from, bottom); c.lineTo(from, level); } else c.moveTo(from, level);
    for (i++; i < n && t[i] <= view.to;) {
      const next = x(i), until = t[i] + 1 / k;
      let most = values[i];
      for (i++; i < n && t[i] < until; i++) most = Math.max(most, values[i]);
      c.lineTo(next, level);
      level = y(most);
      c.lineTo(next, level);
      // What holds until a time that is seen apart is the last value, not the most of its pixel.
      if (i >= n || t[i] - t[i - 1] > 2 / k) {
        c.lineTo(x(i - 1), level);
        level = y(values[i - 1]);
        c.lineTo(x(i - 1), level);
      }
    }
    const end = i < n ? right + 2 : Math.min(right + 2, toX(wall));
    c.lineTo(end, level);
    if (area) { c.lineTo(end, bottom); c.closePath(); }
  }
  function drawOver() {
    const c = over.getContext("2d");
    c.clearRect(0, 0, width, height);
    if (mouse && mouse.x >= GUTTER) { c.fillStyle = theme.soft; c.globalAlpha = 0.5; c.fillRect(Math.round(mouse.x), 0, 1, height); }
    if (hover && hover.part !== undefined) {
      // The same partition everywhere.
      c.globalAlpha = 1; c.strokeStyle = theme.text; c.lineWidth = 1.5;
      for (const [at, i] of story[hover.part]) {
        const row = rows[at], b = bandOf.get(row);
        const x0 = Math.max(toX(row.from[i]), GUTTER), x1 = Math.min(toX(row.to[i]), width - RIGHT);
        if (x1 - x0 >= 2 && !hidden[row.kind[i]]) c.strokeRect(x0 + 0.5, b.y + 1.5, x1 - x0 - 2, b.h - 3);
      }
    }
    c.globalAlpha = 1;
  }

  // ---- What is under the pointer.
  function hit(x, y) {
    const b = bands.find((candidate) => y >= candidate.y && y < candidate.y + candidate.h);
    if (!b || x < GUTTER || x > width - RIGHT) return null;
    const t = toT(x);
    if (b.device) return { device: b.device, t };
    if (!b.row) return null;
    const { row } = b, reach = 0.75 / scale();
    let i = after(row.to, row.n, t);
    if (i < row.n && row.from[i] > t + reach) i = row.n;
    if (i >= row.n || hidden[row.kind[i]]) return { row, t };
    return { row, i, part: row.part[i], t };
  }
  const where = (row) => (row.device === null ? `synthesis ${row.index}` : `worker ${row.index}${devices.length > 1 ? ` of ${devices[row.device].name}` : ""}`);
  const moment = (t) => clock(t, Math.max(1, Math.min(1e4, (view.to - view.from) / 2000)), wall);
  function describe(found) {
    const lines = [];
    if (found.device) {
      const { device } = found, at = after(device.t, device.n, found.t) - 1;
      lines.push(["b", device.name], ["", `at ${moment(found.t)}`]);
      if (at >= 0) {
        lines.push(["why", `${bytesText(device.bytes[at])} there, ${bytesText(device.reserved[at])} granted`]);
        lines.push(["", `of ${bytesText(device.budgets[at])}`]);
      }
      return lines;
    }
    const { row, i } = found;
    if (i === undefined) return [["b", "idle"], ["", `${where(row)} · at ${moment(found.t)}`]];
    const kind = row.kind[i], part = data.parts[row.part[i]], length = row.to[i] - row.from[i];
    lines.push(["b", `${part.name} · ${label(kind)}`]);
    lines.push(["", `${duration(length)} · from ${moment(row.from[i])} to ${moment(row.to[i])}`], ["", where(row)]);
    if (row.cause[i] >= 0) lines.push(["why", data.causes[row.cause[i]]]);
    if (kinds[kind] === "slow") lines.push(["why", "slow path: its inputs come to the device within compute"]);
    if (kind < waitsFrom && row.ending[i] > 0) lines.push(["why", `ended: ${data.endings[row.ending[i]]}`]);
    const spans = [];
    for (let j = firstSpan(row, row.from[i]); j < row.spans.length && row.spans[j].from < row.to[i]; j++) {
      const span = row.spans[j];
      if (span.part === row.part[i] && span.from >= row.from[i] && span.to <= row.to[i]) spans.push(span);
    }
    for (const span of spans.slice(0, 8)) lines.push(["", `${span.name}: ${duration(span.to - span.from)}${span.bytes >= 0 ? `, ${bytesText(span.bytes)}` : ""}`]);
    if (spans.length > 8) lines.push(["", `and ${spans.length - 8} more`]);
    const counts = [[part.fallbacks, "slow path"], [part.revoked, "revoked"], [part.set_aside, "set aside"], [part.failures.length, "failed"]];
    const told = counts.filter(([count]) => count).map(([count, what]) => `${what} ${count}×`);
    if (told.length) lines.push(["", `in all: ${told.join(", ")}`]);
    return lines;
  }
  function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }
  function showTip(event) {
    tip.hidden = !hover;
    if (!hover) return;
    tip.replaceChildren(...describe(hover).map(([kind, text]) => (kind === "b" ? element("b", text) : element("span", text, kind))));
    const box = tip.getBoundingClientRect(), gap = 14;
    const x = event.clientX + gap + box.width > innerWidth ? event.clientX - gap - box.width : event.clientX + gap;
    const y = event.clientY + gap + box.height > innerHeight ? event.clientY - gap - box.height : event.clientY + gap;
    tip.style.left = `${Math.max(4, x)}px`;
    tip.style.top = `${Math.max(4, y)}px`;
  }
  function pin(part) {
    pinned = part === pinned ? -1 : part;
    const panel = $("story");
    panel.hidden = pinned < 0;
    panel.replaceChildren();
    if (pinned >= 0) {
      const of = data.parts[pinned], table = element("table"), body = element("tbody"), head = element("tr");
      for (const text of ["what", "from", "for", "where", "why, or how it ended"]) {
        const cell = element("th", text);
        cell.scope = "col";
        head.append(cell);
      }
      for (const [at, i] of story[pinned].slice(0, 500)) {
        const row = rows[at], line = element("tr");
        const why = row.cause[i] >= 0 ? data.causes[row.cause[i]] : row.kind[i] < waitsFrom ? data.endings[row.ending[i]] : "";
        for (const text of [label(row.kind[i]), moment(row.from[i]), duration(row.to[i] - row.from[i]), where(row), why]) line.append(element("td", text));
        body.append(line);
      }
      const thead = element("thead"), scroll = element("div", undefined, "scroll");
      thead.append(head);
      table.append(element("caption", `Partition ${of.name}`), thead, body);
      scroll.append(table);
      panel.append(scroll);
      for (const reason of of.failures) panel.append(element("p", `a try failed: ${reason}`));
    }
    draw();
  }

  // ---- Moving.
  const LEAST = 20;
  function show(from, to) {
    const span = Math.min(Math.max(to - from, Math.min(LEAST, wall)), wall);
    const middle = (from + to) / 2;
    let start = to - from === span ? from : middle - span / 2;
    start = Math.min(Math.max(start, 0), wall - span);
    view.from = start; view.to = start + span;
    draw();
  }
  function zoom(factor, t) {
    const span = Math.min(Math.max((view.to - view.from) * factor, Math.min(LEAST, wall)), wall);
    const share = (t - view.from) / (view.to - view.from), from = t - share * span;
    show(from, from + span);
  }
  const shift = (by) => show(view.from + by, view.to + by);
  const centre = () => (view.from + view.to) / 2;
  const reset = () => show(0, wall);
  const at = (event) => { const box = chart.getBoundingClientRect(); return { x: event.clientX - box.left, y: event.clientY - box.top }; };

  chart.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1, dx = event.deltaX * unit, dy = event.deltaY * unit;
    if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) shift((event.shiftKey && !dx ? dy : dx) / scale());
    else zoom(Math.exp(Math.max(-200, Math.min(200, dy)) * 0.0022), toT(Math.max(GUTTER, at(event).x)));
    hover = null; showTip(event);
  }, { passive: false });
  let drag = null;
  chart.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.clientX, from: view.from, to: view.to, moved: false };
    chart.setPointerCapture(event.pointerId);
  });
  chart.addEventListener("pointermove", (event) => {
    mouse = at(event);
    if (drag && (drag.moved || Math.abs(event.clientX - drag.x) > 3)) {
      drag.moved = true;
      chart.classList.add("drag");
      const by = (drag.x - event.clientX) / scale();
      hover = null;
      show(drag.from + by, drag.to + by);
    } else {
      hover = hit(mouse.x, mouse.y);
      drawOver();
    }
    showTip(event);
  });
  const drop = (event) => {
    if (drag && !drag.moved && event.type === "pointerup") {
      const found = hit(at(event).x, at(event).y);
      if (found && found.part !== undefined) pin(found.part);
      else if (pinned >= 0) pin(pinned);
    }
    drag = null;
    chart.classList.remove("drag");
  };
  chart.addEventListener("pointerup", drop);
  chart.addEventListener("pointercancel", drop);
  chart.addEventListener("pointerleave", (event) => { hover = null; mouse = null; showTip(event); drawOver(); });
  chart.addEventListener("dblclick", reset);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (view.to - view.from) * (event.shiftKey ? 0.5 : 0.12);
    const keys = {
      ArrowLeft: () => shift(-step), ArrowRight: () => shift(step), "+": () => zoom(0.7, centre()), "=": () => zoom(0.7, centre()),
      "-": () => zoom(1 / 0.7, centre()), 0: reset, Escape: () => pinned >= 0 && pin(pinned),
    };
    // On the picture itself up and down zoom; elsewhere they scroll the page.
    if (document.activeElement === chart) Object.assign(keys, { ArrowUp: keys["+"], ArrowDown: keys["-"], Home: () => shift(-wall), End: () => shift(wall) });
    const action = keys[event.key];
    if (action) { event.preventDefault(); action(); }
  });
  $("in").addEventListener("click", () => zoom(0.5, centre()));
  $("out").addEventListener("click", () => zoom(2, centre()));
  $("reset").addEventListener("click", reset);

  // ---- The legend filters.
  const buttons = [];
  for (const kind of order) {
    if (!totals[kind]) continue;
    const button = element("button"), swatch = element("i", undefined, kind >= waitsFrom ? "wait" : "");
    button.type = "button";
    swatch.style.setProperty("--c", `var(--${kinds[kind]})`);
    swatch.style.setProperty("--angle", (kind - waitsFrom) % 2 === 1 ? "45deg" : "-45deg");
    button.append(swatch, label(kind), element("b", duration(totals[kind])));
    button.addEventListener("click", (event) => {
      const alone = buttons.every((other) => other.kind === kind || hidden[other.kind]);
      if (event.altKey) for (const other of buttons) hidden[other.kind] = alone || other.kind === kind ? 0 : 1;
      else hidden[kind] = hidden[kind] ? 0 : 1;
      for (const other of buttons) other.button.setAttribute("aria-pressed", String(!hidden[other.kind]));
      draw();
    });
    button.setAttribute("aria-pressed", "true");
    buttons.push({ kind, button });
    $("legend").append(button);
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readTheme(); draw(); });
  new ResizeObserver(resize).observe($("frame"));
  resize();
})();
