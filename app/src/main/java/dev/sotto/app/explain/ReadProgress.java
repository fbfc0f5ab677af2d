package dev.sotto.app.explain;

/** Receives the progress of a long reading. */
@FunctionalInterface
public interface ReadProgress {
  /** A part of a task is done. */
  void at(String task, long done, long most);
}
