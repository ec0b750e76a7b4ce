import type { Principal } from '@paddock/identity';
import { isEntrusted } from './horse-access.ts';
import { type Horse, type HorseView, type SportHorse, sportHorse } from './schemas/horse.ts';

const sportKeys = Object.keys(sportHorse.shape) as readonly (keyof SportHorse)[];

/** A horse as the caller may see it. The sport view is made of what it names, so a field that is added later is private. */
export function horseViewFor(principal: Principal, horse: Horse): HorseView {
	if (isEntrusted(principal, horse)) return horse;
	return Object.fromEntries(sportKeys.map((key) => [key, horse[key]])) as SportHorse;
}
