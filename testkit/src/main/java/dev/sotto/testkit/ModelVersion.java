package dev.sotto.testkit;

import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;

/**
 * A published version of a model.
 *
 * @param model its id
 * @param round after which it was published, from 1
 * @param weights as many as the manifest says
 * @param manifest what is published beside them
 */
public record ModelVersion(String model, long round, double[] weights, ModelSnapshot manifest) {
  /** What everything published so far has cost. */
  public double epsilon() {
    return manifest.guarantee().epsilon();
  }

  /** The same as readers of the topic get it, to score with the client library. */
  public PublishedModel published() {
    return new PublishedModel(manifest, weights);
  }
}
