package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * The manifest of one published model version: everything but the weights, which travel in chunks
 * before it.
 *
 * @param modelId the model
 * @param runId 16 bytes that name the run
 * @param generation 0 until an algorithm restarts on fresh records
 * @param version rounds done
 * @param dimension number of weights
 * @param chunks into how many records the weights are cut
 * @param digest {@link #digest(double[], Guarantee)}: of weights and guarantee only
 * @param features the feature map in its canonical text
 * @param loss name of the loss
 * @param algorithm name of the optimizer
 * @param last whether the budget forbids any further version
 * @param guarantee of everything published up to and with this version
 * @param fingerprint SHA-256 of the configuration
 * @param ranges the positions of the last round
 * @param ledgerHash SHA-256 of the ledger entry of the last round
 */
public record ModelSnapshot(
    String modelId,
    byte[] runId,
    int generation,
    long version,
    int dimension,
    int chunks,
    byte[] digest,
    String features,
    String loss,
    String algorithm,
    boolean last,
    Guarantee guarantee,
    byte[] fingerprint,
    List<OffsetRange> ranges,
    byte[] ledgerHash) {
  public ModelSnapshot {
    ranges = List.copyOf(ranges);
  }

  /** SHA-256 over the weights' bits and every figure of the guarantee. */
  public static byte[] digest(double[] weights, Guarantee guarantee) {
    MessageDigest hash = Sha256.digest();
    ByteBuffer buffer = ByteBuffer.allocate(8 * 1024);
    for (double weight : weights) {
      if (!buffer.hasRemaining()) {
        hash.update(buffer.array());
        buffer.clear();
      }
      buffer.putDouble(weight);
    }
    hash.update(buffer.array(), 0, buffer.position());
    String names = guarantee.unit().configName() + "|" + guarantee.adjacency().configName() + "|"
        + guarantee.mechanism();
    hash.update(names.getBytes(StandardCharsets.UTF_8));
    ByteBuffer figures = ByteBuffer.allocate(40);
    figures.putDouble(guarantee.mu()).putDouble(guarantee.epsilon()).putDouble(guarantee.delta());
    figures.putDouble(guarantee.muLimit()).putDouble(guarantee.epsilonLimit());
    hash.update(figures.array());
    return hash.digest();
  }
}
