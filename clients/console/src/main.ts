import { h, render } from 'preact';
import { Frame } from './frame.ts';
import { language } from './language.ts';
import { followLinks } from './navigation.ts';
import { start } from './session.ts';

document.documentElement.lang = language.value;
followLinks();
// Only one kind of node below the body: scripts of other parties have no place here.
const root = document.body.appendChild(document.createElement('div'));
root.className = 'console';
render(h(Frame, {}), root);
void start();
