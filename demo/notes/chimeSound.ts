const SAMPLE_RATE = 8_000;
const SECONDS = 0.6;
const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** A short fading tone as a WAV file: 16 bits, one channel. */
export function encodeChime(frequency = 660): Buffer {
  const samples = Math.floor(SAMPLE_RATE * SECONDS);
  const dataBytes = samples * BYTES_PER_SAMPLE;
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(dataBytes, 40);
  for (let index = 0; index < samples; index += 1) {
    const fade = 1 - index / samples;
    const value = Math.sin((2 * Math.PI * frequency * index) / SAMPLE_RATE) * fade * 0.4;
    file.writeInt16LE(Math.round(value * 32_767), HEADER_BYTES + index * BYTES_PER_SAMPLE);
  }
  return file;
}
