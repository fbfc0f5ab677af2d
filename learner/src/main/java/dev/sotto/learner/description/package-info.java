/**
 * What a component, a plan or a command says of itself, once, for people and for programs; start
 * with {@link dev.sotto.learner.description.Section}.
 */
package dev.sotto.learner.description;
