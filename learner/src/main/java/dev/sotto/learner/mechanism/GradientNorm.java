package dev.sotto.learner.mechanism;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Vectors;

/**
 * The norm in which one gradient is bounded: what the noise hides is a change of at most the clip
 * in it.
 */
public enum GradientNorm {
  /** For Gaussian noise. */
  L2,
  /** For Laplace noise. */
  L1;

  /** The norm of the features of an example. */
  public double of(Example example) {
    return this == L2 ? example.norm() : example.l1Norm();
  }

  /** The norm of a vector. */
  public double of(double[] vector) {
    return this == L2 ? Vectors.norm(vector, vector.length) : Vectors.l1Norm(vector, vector.length);
  }

  /** The norm of a vector of ones: the largest norm of coordinates of at most 1. */
  public double ofOnes(int dimension) {
    return this == L2 ? Math.sqrt(dimension) : dimension;
  }

  /** The widest noise in lattice units: Gaussian draws are doubles, Laplace draws are integers. */
  public double widestNoise() {
    return this == L2 ? 0x1p32 : 0x1p40;
  }
}
