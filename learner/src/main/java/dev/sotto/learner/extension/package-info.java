/**
 * Code that users bring along: found on the class path by its name, named in the configuration's
 * fingerprint, and trusted with nothing that a guarantee rests on. Start with
 * {@link dev.sotto.learner.extension.Extension}.
 */
package dev.sotto.learner.extension;
