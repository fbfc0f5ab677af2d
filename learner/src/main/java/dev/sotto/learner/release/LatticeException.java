package dev.sotto.learner.release;

/** No lattice adds the gradients of a round exactly. */
public final class LatticeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** What is out of range, given the others. */
  public enum Input {
    CLIP,
    NOISE,
    DIMENSION,
    BATCH
  }

  private final Input input;

  LatticeException(Input input, String message) {
    super(message);
    this.input = input;
  }

  /** What to change. */
  public Input input() {
    return input;
  }
}
