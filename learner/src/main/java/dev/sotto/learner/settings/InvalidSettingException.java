package dev.sotto.learner.settings;

/** A setting has no usable value; what is wrong with it has been recorded by {@link Settings}. */
public final class InvalidSettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The setting of this name. */
  public InvalidSettingException(String key) {
    super(key + " has no usable value", null, false, false);
  }
}
