// The JDK's own HTTP client against both kinds of HTTP ports: it asks for HTTP/2 with an Upgrade by default, waits for "100
// Continue" when told to, and sends chunks for bodies whose length it does not know. Run as a single file, without a build.

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

public class HttpChecks {
  private static final String HEADER_LENGTH = "Inference-Header-Content-Length";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static boolean failed = false;

  private interface Check {
    /** Null when it is as wanted, else what was seen. */
    Object run() throws Exception;
  }

  private static void check(String name, Check check) {
    Object fault;
    try {
      fault = check.run();
    } catch (Exception error) {
      fault = error;
    }
    System.out.println(fault == null ? "ok " + name : "FAILED " + name + ": " + fault);
    failed |= fault != null;
  }

  private static HttpRequest.Builder infer(String address) {
    return HttpRequest.newBuilder(URI.create("http://" + address + "/v2/models/echo/infer")).timeout(LIMIT);
  }

  private static String json(String tensor) {
    return "{\"inputs\":[{\"name\":\"INPUT0\",\"datatype\":\"FP32\"," + tensor + "}],"
        + "\"outputs\":[{\"name\":\"OUTPUT0\",\"parameters\":{\"binary_data\":" + tensor.contains("binary") + "}}]}";
  }

  private static Object numbers(HttpClient client, HttpRequest.Builder request) throws Exception {
    var body = BodyPublishers.ofString(json("\"shape\":[3],\"data\":[1,2,3.5]"));
    var answer = client.send(request.POST(body).build(), BodyHandlers.ofString());
    boolean good = answer.statusCode() == 200 && answer.body().contains("\"data\":[1.0,2.0,3.5]");
    return good ? null : answer.statusCode() + " " + answer.body();
  }

  private static Object binary(HttpClient client, String address, int values, boolean inChunks) throws Exception {
    byte[] raw = new byte[4 * values];
    new Random(values).nextBytes(raw);
    byte[] header = json("\"shape\":[" + values + "],\"parameters\":{\"binary_data_size\":" + raw.length + "}").getBytes();
    byte[] all = Arrays.copyOf(header, header.length + raw.length);
    System.arraycopy(raw, 0, all, header.length, raw.length);
    BodyPublisher body = inChunks ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(all)) : BodyPublishers.ofByteArray(all);
    var request = infer(address).header(HEADER_LENGTH, "" + header.length).POST(body).build();
    HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
    // Without the header, all of the body is JSON.
    int start = Integer.parseInt(answer.headers().firstValue(HEADER_LENGTH).orElse("" + answer.body().length));
    byte[] got = Arrays.copyOfRange(answer.body(), start, answer.body().length);
    return answer.statusCode() == 200 && Arrays.equals(got, raw) ? null : answer.statusCode() + ", " + got.length + " bytes";
  }

  private static Object atOnce(HttpClient client, String address, int count) throws Exception {
    var body = BodyPublishers.ofString(json("\"shape\":[1],\"data\":[4]"));
    var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < count; i++) answers.add(client.sendAsync(infer(address).POST(body).build(), BodyHandlers.ofString()));
    int good = 0;
    for (var answer : answers) good += answer.get().statusCode() == 200 ? 1 : 0;
    return good == count ? null : good + " of " + count;
  }

  public static void main(String[] addresses) {
    for (int port = 1; port < addresses.length; port++) {
      String address = addresses[port];
      for (var version : HttpClient.Version.values()) {
        var client = HttpClient.newBuilder().version(version).connectTimeout(LIMIT).build();
        String who = "java.net.http " + version + (port == 1 ? "" : ", threads") + ": ";
        check(who + "numbers", () -> numbers(client, infer(address)));
        check(who + "on the used connection", () -> numbers(client, infer(address)));
        check(who + "100 Continue", () -> numbers(client, infer(address).expectContinue(true)));
        check(who + "8 MiB", () -> binary(client, address, 1 << 21, false));
        check(who + "8 MiB in chunks", () -> binary(client, address, 1 << 21, true));
        check(who + "no value in chunks", () -> binary(client, address, 0, true));
        check(who + "300 at once", () -> atOnce(client, address, 300));
      }
    }
    System.exit(failed ? 1 : 0);
  }
}
