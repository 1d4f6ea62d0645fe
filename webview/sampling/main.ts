import "./sampling.css";
import { HostChannel } from "../hostChannel.ts";
import { pageRoot } from "../root.ts";
import { registerToolkit } from "../toolkit.ts";
import { SamplingPage } from "./page.ts";

registerToolkit();
new SamplingPage(pageRoot(), new HostChannel());
