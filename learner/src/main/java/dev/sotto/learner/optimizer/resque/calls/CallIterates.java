package dev.sotto.learner.optimizer.resque.calls;

import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.Acceleration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The way of one model through {@link CallAlgorithm}. */
final class CallIterates extends BlockIterates {
  private final CallAlgorithm algorithm;
  private final Acceleration acceleration;
  private final double[] center;
  private final double[] offset; // where the next phase begins
  private final double[] proximal; // the stochastic proximal point so far, as an offset
  private final List<CallSchedule.Call> ended; // of each query the call that ends with it, or null

  CallIterates(double[] published, CallAlgorithm algorithm) {
    super(published, algorithm.queries());
    this.algorithm = algorithm;
    this.acceleration = new Acceleration(published.length);
    this.center = new double[published.length];
    this.offset = new double[published.length];
    this.proximal = new double[published.length];
    this.ended = new ArrayList<>();
    for (CallSchedule.Call call : algorithm.schedule().calls()) {
      List<Phase> phases = algorithm.schedule().noise().rows().get(call.row());
      for (int i = 0; i < phases.size(); i++) {
        ended.add(i == phases.size() - 1 ? call : null);
      }
    }
  }

  /** The centre. */
  @Override
  public double[] point() {
    return center;
  }

  /** Where the path of the next query begins, as an offset from the centre. */
  @Override
  public double[] earlier() {
    return offset;
  }

  @Override
  protected void begin() {
    acceleration.begin(published);
    Arrays.fill(offset, 0);
    Arrays.fill(proximal, 0);
  }

  @Override
  protected void prepare(long next) {
    acceleration.center(algorithm.lambda(), center);
    algorithm.set().project(center);
  }

  @Override
  protected void step(long asked, double[] average) {
    Ball.project(average, null, algorithm.radius());
    System.arraycopy(average, 0, offset, 0, offset.length);
    CallSchedule.Call call = ended.get((int) (asked - 1));
    if (call != null) {
      end(call);
      Arrays.fill(offset, 0);
    }
  }

  private void end(CallSchedule.Call call) {
    if (!call.isOptimum()) {
      for (int i = 0; i < offset.length; i++) {
        proximal[i] += call.weight() * offset[i]; // may leave the ball: projected, it were biased
      }
      return;
    }
    for (int i = 0; i < offset.length; i++) {
      acceleration.x()[i] = center[i] + offset[i];
    }
    acceleration.advance(algorithm.lambda(), proximal, algorithm.set());
    Arrays.fill(proximal, 0);
  }

  @Override
  protected void result(double[] into) {
    System.arraycopy(acceleration.x(), 0, into, 0, into.length);
    algorithm.set().project(into);
  }

  @Override
  protected double[] own() {
    double[] all = join(acceleration.x(), acceleration.v(), offset, proximal);
    double[] own = Arrays.copyOf(all, all.length + 1);
    own[all.length] = acceleration.mass();
    return own;
  }

  @Override
  protected void take(double[] own) {
    split(own, acceleration.x(), acceleration.v(), offset, proximal);
    double mass = own[own.length - 1];
    if (!(mass >= 0)) {
      throw new IllegalArgumentException("a mass is at least 0, but was " + mass);
    }
    acceleration.mass(mass);
  }
}
