/** Scores over HTTP; start with {@link dev.sotto.app.serve.ModelServer}. */
package dev.sotto.app.serve;
