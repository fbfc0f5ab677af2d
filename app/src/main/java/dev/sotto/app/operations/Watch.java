package dev.sotto.app.operations;

/** Is told how far a long reading is. */
@FunctionalInterface
public interface Watch {
  /** So much of a task is done. */
  void at(String task, long done, long most);
}
