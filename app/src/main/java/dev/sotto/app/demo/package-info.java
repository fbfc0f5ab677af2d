/**
 * The demo's recorded stream and its player; read {@link dev.sotto.app.demo.BaseballStream} first.
 */
package dev.sotto.app.demo;
