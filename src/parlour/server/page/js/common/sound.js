// Sounds, synthesized when they are played. Browsers allow none before the first tap or key.

import { remember, settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** The running audio context, or null where no sound may be played. */
function audioContext() {
  if (!settings().sound || !("AudioContext" in window) || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state !== "running") context.resume(); // "suspended", or after a call on a phone "interrupted"
  return context;
}

/**
 * Play filtered noise, like paper on felt. `at` and `length` in seconds, the pitch `high` in hertz, `loud` from 0 to 1.
 *
 * @param {AudioContext} audio
 * @param {number} at
 * @param {{ high?: number, length?: number, loud?: number }} [how]
 */
function brush(audio, at, { high = 2600, length = 0.07, loud = 0.16 } = {}) {
  const samples = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, samples, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < samples; index += 1) data[index] = (Math.random() * 2 - 1) * (1 - index / samples) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: high, Q: 0.8 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: loud }))
    .connect(audio.destination);
  source.start(at);
}

/**
 * Play a soft tone that fades. `at` and `length` in seconds, `frequency` in hertz, `loud` from 0 to 1.
 *
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} frequency
 * @param {{ length?: number, loud?: number, type?: OscillatorType }} [how]
 */
function tone(audio, at, frequency, { length = 0.24, loud = 0.07, type = "sine" } = {}) {
  const voice = new OscillatorNode(audio, { frequency, type });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  voice.connect(gain).connect(audio.destination);
  voice.start(at);
  voice.stop(at + length);
}

/** @satisfies {Record<string, (audio: AudioContext, at: number) => void>} */
const SOUNDS = {
  card: (audio, at) => brush(audio, at),
  deal: (audio, at) => [0, 0.06, 0.12, 0.18, 0.24].forEach((later) => brush(audio, at + later, { loud: 0.1 })),
  gone: (audio, at) => {
    brush(audio, at, { high: 900, length: 0.14, loud: 0.2 });
    tone(audio, at, 150, { length: 0.2, loud: 0.09, type: "triangle" });
  },
  flip: (audio, at) => {
    brush(audio, at, { high: 3600, length: 0.04 });
    brush(audio, at + 0.07, { high: 2000, length: 0.06 });
  },
  turn: (audio, at) => {
    tone(audio, at, 523.25);
    tone(audio, at + 0.1, 659.25);
  },
  end: (audio, at) =>
    [392, 523.25, 659.25, 783.99].forEach((frequency, index) =>
      tone(audio, at + index * 0.11, frequency, { length: 0.5 }),
    ),
  no: (audio, at) => tone(audio, at, 185, { length: 0.16, loud: 0.06, type: "triangle" }),
  word: (audio, at) => tone(audio, at, 880, { length: 0.12, loud: 0.04 }),
};

/** @typedef {keyof typeof SOUNDS} SoundName */

/**
 * The sounds that are also played while the page is hidden, to call the player back. The sounds of cards are not:
 * several games would rustle at once.
 *
 * @type {Set<SoundName>}
 */
const CALLS = new Set(["turn", "end", "word"]);

/**
 * Play a sound, if sound is on.
 *
 * @param {SoundName} name
 */
export function sound(name) {
  const audio = document.hidden && !CALLS.has(name) ? null : audioContext();
  if (audio) SOUNDS[name](audio, audio.currentTime + 0.01);
}

/** Switch sound on, and play a card, or off, and stop the sound being played. Return whether sound is on. */
export function toggleSound() {
  const on = !settings().sound;
  remember({ sound: on });
  if (on) sound("card");
  else context?.suspend();
  return on;
}
