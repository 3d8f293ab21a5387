/** The root door of the package: what most programs need, and nothing that touches a process before it is asked to. */
export * from './event/index.js';
