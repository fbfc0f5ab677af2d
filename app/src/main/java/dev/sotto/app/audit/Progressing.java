package dev.sotto.app.audit;

/** Told, from any thread, that one of the steps of an audit is done. */
@FunctionalInterface
interface Progressing {
  /**
   * One more step is done.
   *
   * @param what it was part of
   */
  void done(String what);
}
