// Takes the place of the native logger in the code-server build of VS Code, which is installed without compiling
// anything: without it the editor has no log files, and so nothing to show in its output panel. It has the functions
// that the editor uses, and no more.
const fs = require("node:fs");
const path = require("node:path");

const NAMES = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
  constructor(_type, _name, file, maxBytes, _maxFiles) {
    this.file = file;
    this.maxBytes = maxBytes;
    this.level = 2;
    this.isPlain = false;
    this.open();
  }

  open() {
    this.descriptor = fs.openSync(this.file, "a");
    this.bytes = fs.fstatSync(this.descriptor).size;
  }

  write(level, message) {
    if (level < this.level || this.descriptor === undefined) return;
    const text = this.isPlain ? message : `${stamp()} [${NAMES[level]}] ${message}\n`;
    if (this.maxBytes > 0 && this.bytes > this.maxBytes) this.rotate();
    this.bytes += fs.writeSync(this.descriptor, text);
  }

  rotate() {
    fs.closeSync(this.descriptor);
    fs.renameSync(this.file, `${this.file}.1`);
    this.open();
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }

  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {
    this.isPlain = false;
  }
  clearFormatters() {
    this.isPlain = true;
  }
  flush() {
    // Every line is written at once.
  }
  drop() {
    if (this.descriptor === undefined) return;
    fs.closeSync(this.descriptor);
    this.descriptor = undefined;
  }
}

/** Local time, as in `2026-07-28 09:30:00.000`. */
function stamp() {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 23).replace("T", " ");
}

async function create(name, file, maxBytes, maxFiles) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger("rotating", name, file, maxBytes, maxFiles);
}

exports.version = 0;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
