package dev.sotto.app.audit.noise;

import dev.sotto.learner.privacy.Generations;

/**
 * A mechanism that begins anew with each generation, sums and noise: block-diagonal.
 *
 * @param inner of one generation
 */
record RestartedMatrix(NoiseMatrix inner, Generations generations) implements NoiseMatrix {
  @Override
  public boolean isRestart(long round) {
    return generations.within(round) == 1;
  }

  @Override
  public Whitener whitener(int dimension) {
    return new Whitener() {
      private Whitener now = inner.whitener(dimension);
      private long round = 1;

      @Override
      public void white(double[] prefix, double[] into) {
        now.white(prefix, into);
      }

      @Override
      public void advance(double[] prefix) {
        now.advance(prefix);
        round++;
        if (isRestart(round)) {
          now = inner.whitener(dimension);
        }
      }
    };
  }

  @Override
  public Colourer colourer(int dimension) {
    return new Colourer() {
      private Colourer now = inner.colourer(dimension);
      private long round = 1;

      @Override
      public void colour(double[] white, double[] into) {
        now.colour(white, into);
      }

      @Override
      public void advance(double[] white) {
        now.advance(white);
        round++;
        if (isRestart(round)) {
          now = inner.colourer(dimension);
        }
      }
    };
  }
}
