/**
 * The page of a running learner, out of committed topics; start with
 * {@link dev.sotto.app.page.StatusPage}.
 */
package dev.sotto.app.page;
