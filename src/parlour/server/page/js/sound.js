// Sounds, made when they are needed: no files. Nothing is heard before the first tap or key, as browsers want it.

import { settings } from "./settings.js";

let context = null;

function ready() {
  if (!settings().sound || !("AudioContext" in window) || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

/** A short noise through a filter: paper on felt. */
function brush(at, { high = 2600, length = 0.07, loud = 0.16 } = {}) {
  const samples = Math.ceil(context.sampleRate * length);
  const buffer = context.createBuffer(1, samples, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < samples; index += 1) data[index] = (Math.random() * 2 - 1) * (1 - index / samples) ** 3;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: high, Q: 0.8 });
  source
    .connect(filter)
    .connect(new GainNode(context, { gain: loud }))
    .connect(context.destination);
  source.start(at);
}

/** A soft tone that dies away. */
function tone(at, frequency, { length = 0.24, loud = 0.07, type = "sine" } = {}) {
  const voice = new OscillatorNode(context, { frequency, type });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  voice.connect(gain).connect(context.destination);
  voice.start(at);
  voice.stop(at + length);
}

const SOUNDS = {
  card: (at) => brush(at),
  deal: (at) => [0, 0.06, 0.12, 0.18, 0.24].forEach((later) => brush(at + later, { loud: 0.1 })),
  gone: (at) => {
    brush(at, { high: 900, length: 0.14, loud: 0.2 });
    tone(at, 150, { length: 0.2, loud: 0.09, type: "triangle" });
  },
  flip: (at) => {
    brush(at, { high: 3600, length: 0.04 });
    brush(at + 0.07, { high: 2000, length: 0.06 });
  },
  turn: (at) => {
    tone(at, 523.25);
    tone(at + 0.1, 659.25);
  },
  end: (at) =>
    [392, 523.25, 659.25, 783.99].forEach((frequency, index) => tone(at + index * 0.11, frequency, { length: 0.5 })),
  no: (at) => tone(at, 185, { length: 0.16, loud: 0.06, type: "triangle" }),
  word: (at) => tone(at, 880, { length: 0.12, loud: 0.04 }),
};

/** One of the sounds above, if sound is on. */
export function sound(name) {
  if (ready()) SOUNDS[name](context.currentTime + 0.01);
}
