// SPDX-License-Identifier: GPL-3.0-or-later
// Sounds made from nothing: a piece set on wood is a short burst of filtered noise with a low thump,
// everything else a few soft tones. No files, so nothing to load and nothing to license.
import { settings } from './settings.svelte';

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'low-time' | 'error';

let context: AudioContext | undefined;

/**
 * Plays a sound unless the settings say otherwise; browsers allow it only after the first gesture. Waits until the
 * move itself is dealt with: opening the audio device for the first time can take a tenth of a second.
 */
export function sound(name: Sound): void {
  if (settings.sound && typeof AudioContext !== 'undefined') setTimeout(() => make(name));
}

function make(name: Sound): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const out = context.createGain();
  out.gain.value = (settings.volume / 100) ** 2;
  out.connect(context.destination);
  const now = context.currentTime;
  switch (name) {
    case 'move':
      return knock(context, out, now, 900, 0.5);
    case 'capture':
      knock(context, out, now, 1500, 0.7);
      return knock(context, out, now + 0.045, 800, 0.5);
    case 'check':
      knock(context, out, now, 1100, 0.5);
      return tone(context, out, now + 0.03, 660, 0.18, 0.12);
    case 'end':
      return [392, 494, 587].forEach((pitch, i) => tone(context!, out, now + i * 0.11, pitch, 0.35, 0.16));
    case 'low-time':
      return tone(context, out, now, 880, 0.09, 0.15);
    case 'error':
      return tone(context, out, now, 150, 0.16, 0.2);
  }
}

function knock(audio: AudioContext, out: AudioNode, at: number, pitch: number, loudness: number): void {
  const length = Math.round(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / length);
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const wood = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch, Q: 2.2 });
  const gain = new GainNode(audio, { gain: loudness });
  noise.connect(wood).connect(gain).connect(out);
  noise.start(at);
  tone(audio, out, at, 120, 0.07, loudness * 0.35);
}

function tone(audio: AudioContext, out: AudioNode, at: number, pitch: number, length: number, loud: number): void {
  const voice = new OscillatorNode(audio, { type: 'triangle', frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  voice.connect(gain).connect(out);
  voice.start(at);
  voice.stop(at + length);
}

/** The sound that goes with a move, read from its SAN. */
export const soundOf = (san: string): Sound =>
  /#$/.test(san) ? 'end' : /\+$/.test(san) ? 'check' : san.includes('x') ? 'capture' : 'move';
